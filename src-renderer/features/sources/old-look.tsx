import { Notice } from '../../ui/notice.tsx';

/** Says that what is shown was seen with other fields than those that stand there now. */
export function OldLook() {
  return <Notice tone="busy" message="Settings changed since this test." hint="Test again." />;
}
