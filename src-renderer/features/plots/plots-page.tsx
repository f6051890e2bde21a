import { MultiSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatMoment } from '../../format/time.ts';
import { useAgentNow } from '../../state/contact.ts';
import { type Growth, useGrowthList, useGrowths } from '../../state/growth.ts';
import { usePlotChannels } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { ChannelsNotice } from '../../ui/plot/channels-notice.tsx';
import { CHANNELS_MAX, channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { GrowthPlots } from './growth-plots.tsx';
import { NamedViews } from './named-views.tsx';
import { GROWTHS_MAX, keepState, type PlotState, readKept, readState, writeState } from './plot-view.ts';
import classes from './plots.module.css';
import { TimePlots } from './time-plots.tsx';
import { words } from './words.ts';

const PATH = '/plots/';
/** An address is written when a person has come to rest, milliseconds. */
const SETTLE_MS = 400;

/** Any channels together, over one time for all or over growths laid over each other. */
export function PlotsPage({ snapshot }: { snapshot: Snapshot }) {
  const [state, change] = usePlotState();
  const channels = usePlotChannels();
  const list = useGrowthList();
  const known = channels.data ?? [];
  const keys = new Set(state.chosen ?? pickFirst(known));
  const shown = known.filter((channel) => keys.has(channelKey(channel))).slice(0, CHANNELS_MAX);
  const frame = (plots: React.ReactNode) => (
    <Panel
      title="Plots"
      aside={
        <div className={classes.moves}>
          <NamedViews state={state} onChange={change} />
          <ShareLink />
          <ChannelPicker
            channels={known}
            most={CHANNELS_MAX}
            chosen={keys}
            onChange={(chosen) => change({ ...state, chosen: [...chosen] })}
          />
        </div>
      }
    >
      <div className={layout.closeStack} data-testid="plots">
        <QueryFault fault={faultOf(channels, list)} />
        <GrowthChoice
          known={(list.data?.pages ?? []).flatMap(({ growths }) => growths)}
          ids={state.ids}
          onChange={(ids) => change({ ...state, ids, span: null })}
        />
        <ChannelsNotice known={channels.data} shown={shown} hasSources={snapshot.sources.length > 0} />
        {plots}
      </div>
    </Panel>
  );
  return (
    <div className={layout.column}>
      {state.ids.length > 0 ? (
        frame(<GrowthPlots state={state} shown={shown} onChange={change} />)
      ) : (
        <TimePlots list={list} state={state} shown={shown} onChange={change} frame={frame} />
      )}
    </div>
  );
}

interface GrowthChoiceProps {
  known: readonly Growth[];
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Which growths are laid over each other; a growth of a link is among them, however old it is. */
function GrowthChoice({ known, ids, onChange }: GrowthChoiceProps) {
  const nowMs = useAgentNow();
  const chosen = useGrowths(ids).flatMap(({ data }) => data ?? []);
  const labels = new Map(
    [...known, ...chosen].map(({ id, name, startedMs }) => [
      id,
      `${name || words.unnamed} · ${formatMoment(startedMs, nowMs)}`,
    ]),
  );
  if (labels.size === 0) return null;
  return (
    <MultiSelect
      label={words.growths}
      placeholder={ids.length === 0 ? words.none : ''}
      data={[...labels].map(([value, label]) => ({ value, label }))}
      maxValues={GROWTHS_MAX}
      searchable
      clearable
      value={[...ids]}
      onChange={onChange}
    />
  );
}

/** The state of the page: from the address where it holds one, else what this browser kept. A change goes to both. */
function usePlotState(): readonly [PlotState, (state: PlotState) => void] {
  const [location, navigate] = useLocation();
  const word = location.startsWith(PATH) ? location.slice(PATH.length) : '';
  const [state, setState] = useState(() => readState(word) ?? readKept());
  const [written, setWritten] = useState(word);
  // Somebody opened another address, or went back.
  if (word !== written && word !== '') {
    setWritten(word);
    const read = readState(word);
    if (read && word !== writeState(state)) setState(read);
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      const next = writeState(state);
      keepState(state);
      setWritten(next);
      navigate(PATH + next, { replace: true });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, setState];
}
