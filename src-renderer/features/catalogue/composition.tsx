import type { Xps } from '../../state/catalogue.ts';
import classes from './composition.module.css';

const percent = (fraction: number) => (100 * fraction).toFixed(1);

/** The fractions of the elements as bars, each with its uncertainty as a stroke and as text. */
export function Composition({ parts }: { parts: Xps['composition'] }) {
  return (
    <table className={classes.composition}>
      <caption>Fractions with the uncertainty that the service gives</caption>
      <thead>
        <tr>
          <th scope="col">Element</th>
          <th scope="col">Fraction</th>
          <th scope="col" className={classes.barHead}>
            0 to 100 %
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ element, fraction, uncertainty }) => (
          <tr key={element}>
            <th scope="row">
              <bdi>{element}</bdi>
            </th>
            <td>
              {fraction === null ? 'not said' : `${percent(fraction)} %`}
              {fraction !== null && uncertainty !== null && ` ± ${percent(uncertainty)} %`}
            </td>
            <td>{fraction !== null && <Bar fraction={fraction} uncertainty={uncertainty ?? 0} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WIDTH = 200;
const inside = (fraction: number) => WIDTH * Math.min(1, Math.max(0, fraction));

function Bar({ fraction, uncertainty }: { fraction: number; uncertainty: number }) {
  const [low, high] = [inside(fraction - uncertainty), inside(fraction + uncertainty)];
  return (
    <svg viewBox={`0 0 ${WIDTH} 20`} preserveAspectRatio="none" className={classes.bar} aria-hidden="true">
      <rect x={0} y={4} width={inside(fraction)} height={12} fill="var(--line-0)" />
      {uncertainty > 0 && (
        <path
          d={`M${low} 10H${high}M${low} 3V17M${high} 3V17`}
          stroke="var(--text)"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
