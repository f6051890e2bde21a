import { useState } from 'react';
import { useDraft } from '../../state/draft.ts';
import type { Known } from '../../state/library.ts';
import { type Choice, type ChoiceFaults, type ChoiceValues, toChoice } from './choice-values.ts';

/** The fields of a choice as they are filled in. */
export interface ChoiceForm {
  readonly values: ChoiceValues;
  /** What is wrong with them, as of the last look. */
  readonly faults: ChoiceFaults;
  readonly onChange: (part: Partial<ChoiceValues>) => void;
  /** What is chosen; null: a field says why not. */
  read(): Choice | null;
}

/** Hold name, sample and project of a growth while they are entered. Takes `draft` and `first` as `useDraft`. */
export function useChoice(known: Known | undefined, draft: string | null, first: () => ChoiceValues): ChoiceForm {
  const [values, onChange] = useDraft(draft, first);
  const [faults, setFaults] = useState<ChoiceFaults>({});
  const read = () => {
    const found = toChoice(values, known?.samples ?? [], known?.projects ?? []);
    setFaults('faults' in found ? found.faults : {});
    return 'faults' in found ? null : found.choice;
  };
  return { values, faults, onChange, read };
}
