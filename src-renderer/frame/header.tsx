import type { Snapshot } from '../../src-main/contract/snapshot.ts';
import { TallLink } from '../ui/tall-link.tsx';
import classes from './frame.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

interface HeaderProps {
  snapshot: Snapshot | null;
  /** What stands beside the badge of a trial. */
  children?: React.ReactNode;
}

/** What the page belongs to: the program, the tool, and whether all of it is a trial. */
export function Header({ snapshot, children }: HeaderProps) {
  return (
    <header className={classes.header}>
      <span className={classes.brand}>
        <Logo />
        Epistream
      </span>
      {snapshot?.toolName && <bdi className={classes.tool}>{snapshot.toolName}</bdi>}
      {snapshot?.isTrial && <span className={classes.badge}>Trial: simulated tool, nothing leaves this PC</span>}
      {children}
      <span className={classes.headerEnd}>
        {snapshot && <span className={classes.version}>Version {snapshot.version}</span>}
        {snapshot && <TallLink href="/wall">Wall view (W)</TallLink>}
        <ThemeSwitch />
      </span>
    </header>
  );
}

/** Three points on their way, each further than the one before. */
function Logo() {
  return (
    <svg width={30} height={22} viewBox="0 0 30 22" aria-hidden="true" className={classes.logo}>
      <path d="M3 18C11 18 11 4 27 4" fill="none" stroke="currentColor" strokeWidth={2.4} strokeLinecap="round" />
      <circle cx={4} cy={18} r={3.2} fill="currentColor" />
      <circle cx={15} cy={10.6} r={3.2} fill="currentColor" />
      <circle cx={26} cy={4} r={3.2} fill="currentColor" />
    </svg>
  );
}
