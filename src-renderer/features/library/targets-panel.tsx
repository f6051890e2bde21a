import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { type Target, useTargets } from '../../state/library.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { LayerStack } from './layer-stack.tsx';
import classes from './library.module.css';

const SHOWN_FIRST = 10;
/** From so many on a search is offered. */
const SEARCH_FROM = 4;

/** The target materials of the organization, each drawn as its stack of layers. */
export function TargetsPanel() {
  const answer = useTargets();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(SHOWN_FIRST);
  const { targets = [], left = 0 } = answer.data ?? {};
  const wanted = search.trim().toLowerCase();
  const found = targets.filter((target) => textOf(target).includes(wanted));
  return (
    <Panel title="Target materials" aside={answer.data && <span>{formatCounted(targets.length, 'stack')}</span>}>
      <div className={layout.closeStack} data-testid="targets">
        <Answered
          isPending={answer.isPending}
          fault={faultOf(answer)}
          loading="Asking the service for its target materials."
        >
          {targets.length >= SEARCH_FROM && (
            <TextInput
              label="Search target materials"
              placeholder="GaAs"
              leftSection={<IconSearch size="1.125rem" aria-hidden="true" />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          {targets.length === 0 && (
            <Quiet>
              The service holds no target material. The interface can list and change them, not make them: the
              administrator who runs the service can.
            </Quiet>
          )}
          {targets.length > 0 && found.length === 0 && <Quiet>No target material has these words.</Quiet>}
          {found.slice(0, shown).map((target) => (
            <TargetItem key={target.sampleId ?? `name ${target.name}`} target={target} />
          ))}
          {found.length > shown && (
            <Button variant="default" className={classes.alone ?? ''} onClick={() => setShown(shown + SHOWN_FIRST)}>
              Show more
            </Button>
          )}
          {left > 0 && <Quiet>{formatCounted(left, 'further target material')} not shown here.</Quiet>}
          {targets.length > 0 && (
            <Quiet>Layer 1 is drawn on the substrate, heights are not to scale: the service tells neither.</Quiet>
          )}
        </Answered>
      </div>
    </Panel>
  );
}

const textOf = ({ name, substrate, note, layers }: Target): string =>
  [name, substrate, note, ...layers.map(({ composition }) => composition)].join('\n').toLowerCase();

function TargetItem({ target }: { target: Target }) {
  const { sampleId, name, note, owner, updatedMs } = target;
  const words = [
    sampleId === null ? '' : `number ${sampleId}`,
    owner,
    updatedMs === null ? '' : `changed ${formatExact(updatedMs)}`,
  ];
  const title = name === '' ? 'Without a name' : name;
  return (
    <article className={classes.target} aria-label={title}>
      <h3 className={classes.name}>
        <bdi>{title}</bdi>
      </h3>
      <bdi className={classes.under}>{words.filter((word) => word !== '').join(' · ')}</bdi>
      <LayerStack target={target} />
      {note !== '' && <bdi className={classes.note}>{note}</bdi>}
    </article>
  );
}
