import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core';

/** Petrol: calm in daylight, quiet in the dark, and far from the tones that say how things are. */
const petrol = [
  '#e7f6f9',
  '#d4e9ef',
  '#a9d2dd',
  '#7bbaca',
  '#56a6ba',
  '#3e9ab1',
  '#2f94ad',
  '#1d8099',
  '#0a6c84',
  '#00566b',
] as const;

/** Greys of the dark scheme, with a breath of the same petrol. */
const dark = [
  '#e6edf0',
  '#c3cfd5',
  '#a5b5bd',
  '#6f808a',
  '#33424a',
  '#2a373e',
  '#202b31',
  '#182126',
  '#131b1f',
  '#10171b',
] as const;

/** Mantine picks one text colour for filled buttons in both schemes; ours differ, so each takes its own. */
const resolveColours: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colours, color: 'var(--mantine-primary-color-contrast)' } : colours;
};

/** Words about a field stand below it, so that the fields of a row stay in line. */
const field = { size: 'md', inputWrapperOrder: ['label', 'input', 'description', 'error'] };

export const theme = createTheme({
  colors: { petrol, dark },
  variantColorResolver: resolveColours,
  primaryColor: 'petrol',
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
  cursorType: 'pointer',
  // Gloved hands and old screens: nothing to press is small.
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: field },
    PasswordInput: { defaultProps: field },
    Select: { defaultProps: field },
    Autocomplete: { defaultProps: field },
    NumberInput: { defaultProps: field },
    MultiSelect: { defaultProps: field },
    Textarea: { defaultProps: field },
    Radio: { defaultProps: { size: 'md' } },
    RadioGroup: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
    SegmentedControl: { defaultProps: { size: 'md' } },
  },
});

/** Mantine's own texts in the colours of the page, which keep their contrast on every surface. */
export const resolveVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-quiet)',
    '--mantine-color-placeholder': 'var(--text-quiet)',
    '--mantine-color-error': 'var(--tone-attention)',
    '--mantine-color-default-border': 'var(--line-strong)',
  };
  return { variables: {}, light: shared, dark: shared };
};
