import { Link, useRoute } from 'wouter';
import classes from './frame.module.css';

/** A place of the screen that the navigation offers. */
export interface Place {
  readonly path: string;
  readonly label: string;
  readonly icon: React.ComponentType<{ size?: string; 'aria-hidden'?: 'true' }>;
}

/** The places of the screen, always in sight: a rail beside the page, on a narrow screen a row above it. */
export function Navigation({ places }: { places: readonly Place[] }) {
  return (
    <nav className={classes.navigation} aria-label="Pages">
      {places.map((place) => (
        <PlaceLink key={place.path} {...place} />
      ))}
    </nav>
  );
}

function PlaceLink({ path, label, icon: Icon }: Place) {
  const [isHere] = useRoute(path === '/' ? '/' : `${path}/*?`);
  return (
    <Link href={path} className={classes.place ?? ''} {...(isHere ? { 'aria-current': 'page' } : {})}>
      <Icon size="1.375rem" aria-hidden="true" />
      {label}
    </Link>
  );
}
