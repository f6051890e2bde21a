// One row of the contract: what a call takes and what it gives.
import { z } from 'zod';

/** A call of the screen: the schema of its argument, and of its value. */
export const call = <A extends z.ZodType, V extends z.ZodType>(argument: A, value: V) => ({ argument, value });

export const nothing = z.null();
/** A text of bounded length, in UTF-16 units. */
export const text = (max: number) => z.string().max(max);
