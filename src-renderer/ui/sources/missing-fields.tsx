import { Notice } from '../notice.tsx';

/** Says that a form cannot go yet; the fields themselves say why. */
export function MissingFields() {
  return (
    <Notice tone="attention" isUrgent message="Some fields are not filled in yet." hint="They are marked above." />
  );
}
