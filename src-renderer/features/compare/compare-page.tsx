import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { parseDecimal } from '../../format/number.ts';
import { formatMoment } from '../../format/time.ts';
import { useComparison } from '../../state/compare.ts';
import { useAgentNow } from '../../state/contact.ts';
import { type Growth, useGrowthList } from '../../state/growth.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { type Alignment, alignmentsOf, zeroOf } from './align.ts';
import classes from './compare.module.css';
import { CHANNELS_MAX, COMPARED_MAX, type CompareState, readCompare, writeCompare } from './compare-state.ts';
import { type ComparedChannel, compareChannel, type Placed, wholeSpan } from './compared-lines.ts';
import { words } from './words.ts';

const PATH = '/compare/';
/** An address is written when a person has come to rest, milliseconds. */
const SETTLE_MS = 400;
const NO_KEYS: readonly string[] = [];

/** Two or three growths over each other, from a moment that they share. */
export function ComparePage() {
  const [state, change] = useCompareState();
  const nowMs = useAgentNow();
  const list = useGrowthList(null);
  const known = (list.data?.pages ?? []).flatMap((page) => page.growths);
  // What is offered depends on the growths, what is read on what was chosen: the first look reads no values.
  const first = useComparison(state.ids, NO_KEYS, channelKey);
  const channels = sharedChannels(first.growths);
  const keys = state.chosen ?? [...pickFirst(channels.filter(({ unit }) => unit !== ''))].slice(0, 3);
  const compared = useComparison(state.ids, keys, channelKey);
  const { growths, isPending } = compared;
  const fault = faultOf(list, ...first.queries, ...compared.queries);
  const alignments = useMemo(() => alignmentsOf(growths), [growths]);
  const placed = useMemo(() => place(growths, state), [growths, state.alignment, state.shiftsMs]);
  const shown = useMemo(() => keys.map((key) => compareChannel(key, placed)), [placed, keys.join()]);
  const whole = wholeSpan(placed, nowMs);
  const span = state.span ?? whole;
  const unaligned = placed.filter((one) => zeroOf(one, state.alignment) === null).map(({ title }) => title);
  const partly = placed.filter(({ isPartly }) => isPartly).map(({ title }) => title);
  const wanted = JSON.stringify(state.alignment);
  return (
    <div className={layout.column}>
      <Panel title={words.title} aside={<ShareLink />}>
        <div className={layout.stack} data-testid="compare">
          <div className={layout.fields}>
            <MultiSelect
              label={words.growths}
              description={words.growthsHelp}
              data={[
                ...labels(
                  known,
                  growths.map(({ growth }) => growth),
                  nowMs,
                ),
              ].map(([value, label]) => ({ value, label }))}
              maxValues={COMPARED_MAX}
              searchable
              className={layout.wide ?? ''}
              value={[...state.ids]}
              onChange={(ids) => change({ ...state, ids, span: null })}
            />
            <Select
              label={words.align}
              data={alignments.map((one) => ({ value: JSON.stringify(one), label: alignmentText(one) }))}
              allowDeselect={false}
              value={alignments.some((one) => JSON.stringify(one) === wanted) ? wanted : null}
              onChange={(text) => text && change({ ...state, alignment: JSON.parse(text) as Alignment, span: null })}
            />
            {placed.map(({ growth, title }) => (
              <ShiftField
                key={growth.id}
                title={title}
                shiftMs={state.shiftsMs[growth.id] ?? 0}
                onShift={(shiftMs) => change({ ...state, shiftsMs: { ...state.shiftsMs, [growth.id]: shiftMs } })}
              />
            ))}
          </div>
          {placed.length > 0 && (
            <div className={classes.controls}>
              <ChannelPicker
                channels={channels}
                most={CHANNELS_MAX}
                chosen={new Set(keys)}
                onChange={(chosen) => change({ ...state, chosen: [...chosen] })}
              />
              <Button variant="default" disabled={state.span === null} onClick={() => change({ ...state, span: null })}>
                {words.whole}
              </Button>
            </div>
          )}
          <QueryFault fault={fault} />
          {state.ids.length < 2 && <Quiet>{words.choose}</Quiet>}
          {isPending && <Quiet>{words.loading}</Quiet>}
          {!isPending && placed.length < state.ids.length && !fault && (
            <Notice tone="attention" message={words.gone} hint={words.goneHelp} />
          )}
          {unaligned.length > 0 && <Notice tone="attention" message={words.notAligned(unaligned.join(', '))} hint="" />}
          {partly.length > 0 && <Notice tone="busy" message={words.partly(partly.join(', '))} hint="" />}
          {placed.length > 0 && <Quiet>{words.about}</Quiet>}
          {placed.length > 0 &&
            shown.map((channel) => (
              <ChannelPlot key={channel.key} channel={channel} span={span} state={state} onChange={change} />
            ))}
        </div>
      </Panel>
    </div>
  );
}

interface ChannelPlotProps {
  channel: ComparedChannel;
  span: { from: number; to: number };
  state: CompareState;
  onChange: (state: CompareState) => void;
}

function ChannelPlot({ channel, span, state, onChange }: ChannelPlotProps) {
  const { key, name, unit, lines, missingIn, units } = channel;
  return (
    <section aria-label={name}>
      <h3 className={classes.channel}>
        <bdi>{name}</bdi>
      </h3>
      {units.length > 0 && <Notice tone="attention" message={words.units(name, units.join(', '))} hint="" />}
      {missingIn.length > 0 && <Quiet>{words.missing(name, missingIn.join(', '))}</Quiet>}
      {lines.length > 0 && (
        <PlotPanel
          unit={unit}
          lines={lines}
          axis={ELAPSED}
          heightPx={240}
          {...span}
          yRange={state.ranges[key] ?? null}
          onYRange={(range) => {
            const { [key]: _, ...others } = state.ranges;
            onChange({ ...state, ranges: range === null ? others : { ...others, [key]: range } });
          }}
          onSpan={(wanted) => onChange({ ...state, span: wanted })}
        />
      )}
    </section>
  );
}

const ELAPSED = { kind: 'elapsed' } as const;

interface ShiftFieldProps {
  title: string;
  shiftMs: number;
  onShift: (shiftMs: number) => void;
}

function ShiftField({ title, shiftMs, onShift }: ShiftFieldProps) {
  const [typed, setTyped] = useState(shiftMs === 0 ? '' : String(shiftMs / 1000));
  const isRight = typed.trim() === '' || parseDecimal(typed) !== null;
  return (
    <TextInput
      label={words.shift(title)}
      inputMode="decimal"
      placeholder="0"
      maxLength={20}
      value={typed}
      error={isRight ? undefined : words.shiftWrong}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const seconds = text.trim() === '' ? 0 : parseDecimal(text);
        if (seconds !== null) onShift(seconds * 1000);
      }}
    />
  );
}

const titleOf = ({ name }: Growth) => (name === '' ? words.unnamed : name);

/** Growths to choose from, each under a text of its own; those of the link are among them, however old. */
function labels(known: readonly Growth[], chosen: readonly Growth[], nowMs: number): Map<string, string> {
  const all = new Map([...known, ...chosen].map((growth) => [growth.id, growth]));
  return new Map([...all].map(([id, growth]) => [id, `${titleOf(growth)} · ${formatMoment(growth.startedMs, nowMs)}`]));
}

/** Channels that any of the growths has. */
function sharedChannels(growths: ReturnType<typeof useComparison>['growths']) {
  return [
    ...new Map(growths.flatMap(({ channels }) => channels.map((one) => [channelKey(one), one] as const))).values(),
  ];
}

function place(growths: ReturnType<typeof useComparison>['growths'], { alignment, shiftsMs }: CompareState): Placed[] {
  const names = growths.map(({ growth }) => titleOf(growth));
  return growths.map((one, at) => {
    const { growth } = one;
    const isAlone = names.indexOf(names[at] ?? '') === names.lastIndexOf(names[at] ?? '');
    const title = isAlone ? titleOf(growth) : `${titleOf(growth)} (${formatMoment(growth.startedMs, 0)})`;
    const zeroMs = (zeroOf(one, alignment) ?? growth.startedMs) - (shiftsMs[growth.id] ?? 0);
    return { ...one, zeroMs, colour: at, title };
  });
}

function alignmentText(alignment: Alignment): string {
  if (alignment.at === 'start') return words.start;
  if (alignment.at === 'note') return words.note(alignment.text);
  const [sourceId = '', channel = ''] = JSON.parse(alignment.key) as string[];
  return words.opening(`${channel} (${sourceId})`);
}

/** What is shown, in the address. */
function useCompareState(): readonly [CompareState, (state: CompareState) => void] {
  const [location, navigate] = useLocation();
  const word = location.startsWith(PATH) ? location.slice(PATH.length) : '';
  const [state, setState] = useState(() => readCompare(word));
  const [written, setWritten] = useState(word);
  // Somebody opened another address, or went back.
  if (word !== written && word !== '') {
    setWritten(word);
    if (word !== writeCompare(state)) setState(readCompare(word));
  }
  useEffect(() => {
    if (state.ids.length === 0) return;
    const timer = setTimeout(() => {
      const next = writeCompare(state);
      setWritten(next);
      navigate(PATH + next, { replace: true });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, setState];
}
