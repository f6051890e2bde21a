import { Link } from 'wouter';
import classes from './tall-link.module.css';

interface TallLinkProps {
  /** Path behind the #. */
  href: string;
  className?: string | undefined;
  children: React.ReactNode;
}

/** A link that stands alone, high enough for a gloved finger. */
export function TallLink({ href, className = '', children }: TallLinkProps) {
  return (
    <Link href={href} className={`${classes.link} ${className}`}>
      {children}
    </Link>
  );
}
