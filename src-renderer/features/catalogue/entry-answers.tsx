import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment } from 'react';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import type { Drawn } from './curves.tsx';

interface EntryAnswersProps<V> {
  entries: readonly Drawn[];
  /** The answer for each entry. */
  asked: readonly UseQueryResult<V>[];
  /** The kind of data, such as `time series`. */
  what: string;
  isEmpty: (answer: V) => boolean;
  children: React.ReactNode;
}

/** What entries hold of a kind; of each that gave none, why, under its name where there are two. */
export function EntryAnswers<V>({ entries, asked, what, isEmpty, children }: EntryAnswersProps<V>) {
  return (
    <Answered
      isPending={asked.some(({ isPending }) => isPending)}
      fault={null}
      loading={`Reading the ${what} from the service. A long one takes a while.`}
    >
      <div className={layout.stack}>
        {entries.map(({ dataId, name }, at) => {
          const answer = asked[at];
          const fault = answer ? faultOf(answer) : null;
          const message = entries.length > 1 ? `${name}: ${fault?.message}` : (fault?.message ?? '');
          return (
            <Fragment key={dataId}>
              <QueryFault fault={fault && { ...fault, message }} />
              {answer?.data !== undefined && isEmpty(answer.data) && (
                <Quiet>
                  The service holds no {what} for {entries.length > 1 ? <bdi>{name}</bdi> : 'this entry'}.
                </Quiet>
              )}
            </Fragment>
          );
        })}
        {asked.some(({ data }) => data !== undefined && !isEmpty(data)) && children}
      </div>
    </Answered>
  );
}
