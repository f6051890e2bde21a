import { Autocomplete, Button, Select, Textarea, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import classes from './catalogue.module.css';
import { knownTypes } from './entry-words.tsx';
import { type ListPlace, pathOfList, splitIds, splitKeywords, statuses, wholeCatalogue } from './list-place.ts';

const statusChoices = statuses.map((status) => ({ value: status, label: status === 'all' ? 'any' : status }));
const whoseChoices = [
  { value: 'all', label: 'everyone’s' },
  { value: 'mine', label: 'own only' },
];
const LENGTH_MAX = 200;

/** Every filter that the service has. Words, kind and ids go with "Search"; the others at once. */
export function FilterForm({ place, onGo }: { place: ListPlace; onGo: (place: ListPlace) => void }) {
  const [words, setWords] = useState(place.keywords.join(' '));
  const [type, setType] = useState(place.type);
  const [samples, setSamples] = useState(place.sampleIds.join('\n'));
  const [ids, setIds] = useState(place.dataIds.join('\n'));
  const typed: ListPlace = {
    ...place,
    ...{ keywords: splitKeywords(words), type: type.trim(), sampleIds: splitIds(samples), dataIds: splitIds(ids) },
    skipped: 0,
  };
  const hasIds = place.sampleIds.length + place.dataIds.length > 0;
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onGo(typed);
        }}
      >
        <div className={classes.filters}>
          <TextInput
            label="Words"
            placeholder="GaAs G3-047"
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            maxLength={1000}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Autocomplete
            label="Kind"
            placeholder="any"
            size="md"
            maxLength={LENGTH_MAX}
            data={knownTypes}
            value={type}
            onChange={setType}
            onOptionSubmit={(chosen) => onGo({ ...typed, type: chosen })}
          />
          <Select
            label="State"
            data={statusChoices}
            allowDeselect={false}
            value={place.status}
            onChange={(status) => onGo({ ...typed, status: statuses.find((one) => one === status) ?? 'all' })}
          />
          <Select
            label="Whose"
            data={whoseChoices}
            allowDeselect={false}
            value={place.isOrganization ? 'all' : 'mine'}
            onChange={(whose) => onGo({ ...typed, isOrganization: whose !== 'mine' })}
          />
          <div className={classes.filterButtons}>
            <Button type="submit">Search</Button>
            {pathOfList(place) !== '/catalogue' && (
              <Button variant="default" component={Link} href={pathOfList(wholeCatalogue)}>
                Show all
              </Button>
            )}
          </div>
        </div>
        <details className={classes.more} open={hasIds}>
          <summary>By id of sample or entry</summary>
          <div className={classes.idFields}>
            <Textarea
              label="Ids of samples"
              description="Up to 100, apart by blanks or lines"
              rows={3}
              spellCheck={false}
              value={samples}
              onChange={(event) => setSamples(event.currentTarget.value)}
            />
            <Textarea
              label="Ids of entries"
              description="Up to 100, apart by blanks or lines"
              rows={3}
              spellCheck={false}
              value={ids}
              onChange={(event) => setIds(event.currentTarget.value)}
            />
          </div>
        </details>
      </form>
    </search>
  );
}
