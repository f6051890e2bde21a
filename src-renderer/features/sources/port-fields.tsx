import { Autocomplete, Button, Checkbox, Loader } from '@mantine/core';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type LookView, useLook, usePorts } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { TextList } from '../../ui/sources/source-notes.tsx';
import { NameField } from './name-field.tsx';
import type { SerialFaults, SerialValues } from './serial-values.ts';
import classes from './sources.module.css';

interface PortFieldsProps {
  values: SerialValues;
  faults: SerialFaults;
  isNew: boolean;
  onChange: (part: Partial<SerialValues>) => void;
}

/** The port, from the list of this PC or typed; what is known of it; and asking it which instrument it is. */
export function PortFields({ values, faults, isNew, onChange }: PortFieldsProps) {
  const ports = usePorts();
  const known = ports.data?.ports ?? [];
  const here = known.find(({ path, serialNumber }) =>
    values.adapter ? serialNumber === values.adapter : path === values.port,
  );
  const canFollow = values.adapter !== '' || (here?.serialNumber ?? '') !== '';
  return (
    <div className={layout.stack}>
      <QueryFault fault={faultOf(ports)} />
      <div className={layout.fields}>
        {isNew && (
          <NameField placeholder="cryostat" value={values.id} error={faults.id} onChange={(id) => onChange({ id })} />
        )}
        <Autocomplete
          label="Port"
          description="COM3, /dev/ttyUSB0, or tcp://host:port of a terminal server"
          data={[...new Set(known.map(({ path }) => path))]}
          maxLength={1024}
          spellCheck={false}
          value={values.adapter ? (here?.path ?? `adapter ${values.adapter}`) : values.port}
          error={faults.port}
          onChange={(port) => onChange({ port, adapter: '' })}
        />
        {canFollow && (
          <Checkbox
            label="Find it by the number in its USB adapter"
            description={`${values.adapter || here?.serialNumber}: found again when the port gets another name`}
            className={layout.wide ?? ''}
            checked={values.adapter !== ''}
            onChange={(event) =>
              onChange({
                adapter: event.currentTarget.checked ? (here?.serialNumber ?? '') : '',
                port: here?.path ?? values.port,
              })
            }
          />
        )}
      </div>
      {ports.data?.problem && <Notice tone="stopped" message={ports.data.problem} hint="Type the port instead." />}
      {ports.data && known.length === 0 && ports.data.problem === '' && (
        <Quiet>This PC has no serial port now. Plug the adapter in, or type tcp://host:port.</Quiet>
      )}
      {here && (
        <p className={classes.line}>
          <bdi>
            {[here.path, here.maker, here.vendorId && `${here.vendorId}:${here.productId}`].filter(Boolean).join(' · ')}
          </bdi>
          {here.usedBy.length > 0 && (
            <>
              {' '}
              · read by <bdi>{here.usedBy.join(', ')}</bdi>
            </>
          )}
        </p>
      )}
      <Probe port={here?.path ?? values.port} onChange={onChange} />
    </div>
  );
}

/** Ask on the port which instrument it is; what answers can be taken over. */
function Probe({ port, onChange }: { port: string; onChange: (part: Partial<SerialValues>) => void }) {
  const { look, of, isUnderWay, isStopped, error, start, end } = useLook();
  const isOfThis = of !== undefined && 'port' in of && of.port === port;
  const take = ({ instrument, line, address, options }: LookView['matches'][number]) => {
    const { baud, ...rest } = line as { baud?: number };
    const found = { instrument, options, address: address === null ? '' : String(address) };
    onChange({ ...found, baud: baud === undefined ? '' : String(baud), line: rest });
  };
  return (
    <div className={layout.stack} data-testid="probe">
      <div className={classes.actions}>
        {!isUnderWay && (
          <Button variant="default" disabled={port.trim() === ''} onClick={() => start.mutate({ port: port.trim() })}>
            Detect instrument
          </Button>
        )}
        {isUnderWay && (
          <Button variant="default" onClick={end}>
            Stop
          </Button>
        )}
      </div>
      {error && <Notice tone="attention" isUrgent {...wordsOf(error)} />}
      {isUnderWay && (
        <p className={classes.line} role="status">
          <Loader size="xs" aria-hidden="true" /> {formatCounted(look?.tries ?? 0, 'question')} asked; up to three
          minutes for all. <bdi>{look?.trying}</bdi>
        </p>
      )}
      {isStopped && look && <Quiet>Stopped after {formatCounted(look.tries, 'question')}.</Quiet>}
      {look && !isUnderWay && isOfThis && <ProbeResult look={look} isWhole={!isStopped} onTake={take} />}
    </div>
  );
}

interface ProbeResultProps {
  look: LookView;
  /** All was asked. */
  isWhole: boolean;
  onTake: (match: LookView['matches'][number]) => void;
}

function ProbeResult({ look, isWhole, onTake }: ProbeResultProps) {
  const { state, message, hint, matches, heard } = look;
  if (state === 'failed') return <Notice tone="attention" isUrgent message={message} hint={hint} />;
  return (
    <div className={layout.stack}>
      {isWhole && matches.length === 0 && (
        <Notice
          tone="attention"
          isUrgent
          message="No known instrument answers on this port."
          hint="Check that it is on, its cable and its address; or choose it below and look at the bytes."
        />
      )}
      {matches.map((match) => (
        <div key={match.instrument} className={classes.choice}>
          <h3>
            <bdi>{match.title}</bdi>
          </h3>
          <p>
            {match.isSure ? 'It says so itself' : 'It speaks this protocol'}: <bdi>{match.identity}</bdi> ·{' '}
            {match.lineText}
            {match.address !== null && <>, address {match.address}</>}
          </p>
          <Button variant="default" aria-label={`Use this one: ${match.title}`} onClick={() => onTake(match)}>
            Use this one
          </Button>
        </div>
      ))}
      <TextList texts={heard} />
    </div>
  );
}
