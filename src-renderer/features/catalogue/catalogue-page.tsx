import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { EntryPage } from './entry-page.tsx';
import { ListPage } from './list-page.tsx';
import { pathOfList, readPlace, wholeCatalogue } from './list-place.ts';

/** The list that was seen last, for the way back from an entry. */
let lastList = pathOfList(wholeCatalogue);

/** What the service holds: a list with its filters, and a page for each entry. */
export function CataloguePage() {
  // The router decodes what it hands on, which an encoded filter does not survive: it only says that the place changed.
  useLocation();
  const place = readPlace(window.location.hash);
  const listPath = 'list' in place ? pathOfList(place.list) : null;
  useEffect(() => {
    if (listPath !== null) lastList = listPath;
  }, [listPath]);
  if ('entry' in place)
    return <EntryPage key={place.entry} dataId={place.entry} overId={place.over} backPath={lastList} />;
  return <ListPage place={place.list} />;
}
