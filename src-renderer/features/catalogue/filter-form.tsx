import { Autocomplete, Button, Select, Textarea, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { orders } from './entry-rows.ts';
import { knownTypes } from './entry-words.tsx';
import classes from './filter-form.module.css';
import { type ListPlace, pathOfList, splitIds, splitKeywords, statuses, wholeCatalogue } from './list-place.ts';
import { words } from './words.ts';

const statusChoices = statuses.map((status) => ({ value: status, label: status === 'all' ? words.any : status }));
const ownerChoices = [
  { value: 'all', label: words.owners.all },
  { value: 'mine', label: words.owners.mine },
];
const orderChoices = orders.map((order) => ({ value: order, label: words.orders[order] }));
const LENGTH_MAX = 200;

/** What is typed, until it is searched for. */
interface Fields
  extends Record<'keywords' | 'type' | 'tool' | 'sample' | 'sampleIds' | 'ids' | 'from' | 'to', string> {}

const fieldsOf = ({ keywords, type, tool, sample, sampleIds, dataIds, from, to }: ListPlace): Fields => ({
  keywords: keywords.join(' '),
  type,
  tool,
  sample,
  from,
  to,
  sampleIds: sampleIds.join('\n'),
  ids: dataIds.join('\n'),
});

interface FilterFormProps {
  place: ListPlace;
  /** Tools and samples of the entries that are here, to choose from. */
  tools: readonly string[];
  samples: readonly string[];
  onGo: (place: ListPlace) => void;
}

/** Every filter that the service has, and those of this page. What is typed goes with "Search"; what is chosen at once. */
export function FilterForm({ place, tools, samples, onGo }: FilterFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(place));
  // Another place, by a link or the way back, fills the form again; it stays the same form, so that the focus stays in it.
  const path = pathOfList(place);
  const [shown, setShown] = useState(path);
  if (shown !== path) {
    setShown(path);
    setFields(fieldsOf(place));
  }
  const { keywords, type, tool, sample, sampleIds, ids, from, to } = fields;
  const change = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
  const typed: ListPlace = {
    ...place,
    keywords: splitKeywords(keywords),
    type: type.trim(),
    tool: tool.trim(),
    sample: sample.trim(),
    from,
    to,
    sampleIds: splitIds(sampleIds),
    dataIds: splitIds(ids),
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
        <div className={classes.searchLine}>
          <TextInput
            aria-label={words.search}
            placeholder={words.searchHint}
            leftSection={<IconSearch size="1.125rem" aria-hidden="true" />}
            maxLength={1000}
            value={keywords}
            onChange={(event) => change({ keywords: event.currentTarget.value })}
          />
          <Button type="submit">{words.search}</Button>
          <Button
            variant="default"
            component={Link}
            href={pathOfList(wholeCatalogue)}
            // It keeps its place, so that nothing jumps.
            style={{ visibility: pathOfList(place) === '/catalogue' ? 'hidden' : 'visible' }}
          >
            {words.showAll}
          </Button>
        </div>
        <div className={classes.filters}>
          <TextInput
            label={words.from}
            type="date"
            value={from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            label={words.to}
            type="date"
            value={to}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
          <Autocomplete
            label={words.tool}
            placeholder={words.any}
            maxLength={LENGTH_MAX}
            data={[...tools]}
            limit={50}
            value={tool}
            onChange={(tool) => change({ tool })}
            onOptionSubmit={(chosen) => onGo({ ...typed, tool: chosen })}
          />
          <Autocomplete
            label={words.sample}
            placeholder={words.any}
            maxLength={LENGTH_MAX}
            data={[...samples]}
            limit={50}
            value={sample}
            onChange={(sample) => change({ sample })}
            onOptionSubmit={(chosen) => onGo({ ...typed, sample: chosen })}
          />
          <Autocomplete
            label={words.type}
            placeholder={words.any}
            maxLength={LENGTH_MAX}
            data={knownTypes}
            value={type}
            onChange={(type) => change({ type })}
            onOptionSubmit={(chosen) => onGo({ ...typed, type: chosen })}
          />
          <Select
            label={words.status}
            data={statusChoices}
            allowDeselect={false}
            value={place.status}
            onChange={(status) => onGo({ ...typed, status: statuses.find((one) => one === status) ?? 'all' })}
          />
          <Select
            label={words.owner}
            data={ownerChoices}
            allowDeselect={false}
            value={place.isOrganization ? 'all' : 'mine'}
            onChange={(owner) => onGo({ ...typed, isOrganization: owner !== 'mine' })}
          />
          <Select
            label={words.order}
            data={orderChoices}
            allowDeselect={false}
            value={place.order}
            onChange={(order) => onGo({ ...typed, order: orders.find((one) => one === order) ?? 'uploaded' })}
          />
        </div>
        <details className={classes.more} open={hasIds}>
          <summary>{words.byId}</summary>
          <div className={classes.idFields}>
            <Textarea
              label={words.sampleIds}
              description={words.idsHelp}
              rows={3}
              spellCheck={false}
              value={sampleIds}
              onChange={(event) => change({ sampleIds: event.currentTarget.value })}
            />
            <Textarea
              label={words.entryIds}
              description={words.idsHelp}
              rows={3}
              spellCheck={false}
              value={ids}
              onChange={(event) => change({ ids: event.currentTarget.value })}
            />
          </div>
        </details>
      </form>
    </search>
  );
}
