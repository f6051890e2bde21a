import { Notice } from './notice.tsx';

/** Where the sums of a receipt contradict each other, as text; nothing where they agree. */
export function Disagreements({ disagreements }: { disagreements: readonly string[] }) {
  return disagreements.map((words) => (
    <Notice
      key={words}
      tone="attention"
      message={`The queue does not agree with itself: ${words}.`}
      hint="Keep a copy of the data folder and report this."
    />
  ));
}
