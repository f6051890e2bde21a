import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { moved, zoomed } from './move-span.ts';
import type { PlotSpan } from './plotted-line.ts';

const SIZE_PX = 44;
const MOVES = [
  { label: 'Earlier', icon: IconArrowLeft, by: (span: PlotSpan) => moved(span, -0.5) },
  { label: 'Later', icon: IconArrowRight, by: (span: PlotSpan) => moved(span, 0.5) },
  { label: 'Zoom in', icon: IconZoomIn, by: (span: PlotSpan) => zoomed(span, 0.5) },
  { label: 'Zoom out', icon: IconZoomOut, by: (span: PlotSpan) => zoomed(span, 2) },
];

interface SpanButtonsProps {
  fromMs: number;
  toMs: number;
  onSpan: (span: { fromMs: number; toMs: number }) => void;
}

/** Buttons that move and zoom a span of time, for keyboards and gloves. */
export function SpanButtons({ fromMs, toMs, onSpan }: SpanButtonsProps) {
  return MOVES.map(({ label, icon: Icon, by }) => (
    <ActionIcon
      key={label}
      variant="default"
      size={SIZE_PX}
      aria-label={label}
      title={label}
      onClick={() => {
        const { from, to } = by({ from: fromMs, to: toMs });
        onSpan({ fromMs: from, toMs: to });
      }}
    >
      <Icon size="1.25rem" aria-hidden="true" />
    </ActionIcon>
  ));
}
