import type { EndpointName, ParsedRequest, Response as RowResponse } from '../../interface/table.ts';
import type { Caller } from '../storage/identity.ts';

/**
 * What serves a row: checked parameters and caller in; the row's answer out, or a ready-made HTTP answer where the body
 * is not worth building twice (long series, files). Throws Problem to refuse.
 */
type Handler<N extends EndpointName> = (
  request: ParsedRequest<N>,
  caller: Caller,
) => RowResponse<N> | Response | Promise<RowResponse<N> | Response>;

export type Handlers = { readonly [N in EndpointName]: Handler<N> };
