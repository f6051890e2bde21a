// Numbers in forms that are not read, and names of other languages in the code page of their PCs.
import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import type { Choices } from './choices.ts';

/** Write a number in a style. */
export function numberText(style: string, value: number): string {
  if (style === 'fixed') return value.toFixed(3);
  if (style === 'whole') return String(Math.round(value));
  return style === 'scientific' ? value.toExponential(4) : String(value);
}

/** Write a number with a point in another form; one that it has no other form for stays. */
export function oddText(form: string, text: string, mark: '.' | ','): string {
  const group = mark === '.' ? ',' : '.';
  const [whole = '', rest] = text.split('.');
  if (form === 'grouped' && /^\d{4,}$/.test(whole) && !/e/i.test(text)) {
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
    return rest === undefined ? grouped : grouped + mark + rest;
  }
  // A PC that writes points between thousands, in a file that has shown no decimal mark.
  if (form === 'late') return text.replace(/^(\d)(\d{3})$/, '$1.$2');
  const own = text.replace('.', mark);
  if (form === 'fortran') return own.replace('e', 'D');
  if (form === 'no letter') return own.replace(/e(?=[+-])/, '');
  if (form === 'power') return own.replace(/e\+?/, '*10^');
  return form === 'brackets' ? `(${own})` : own;
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  Japanese: ['圧力', '温度', '流量', '時間', '電圧', '電流', '出力', '速度', '膜厚', '基板'],
  Chinese: ['真空度', '温度', '流量', '速率', '电压', '电流', '功率', '压力', '厚度', '衬底'],
  Russian: [
    'Давление',
    'Температура',
    'Поток',
    'Скорость',
    'Ток',
    'Мощность',
    'Толщина',
    'Подложка',
    'Расход',
    'Вакуум',
  ],
  German: ['Größe', 'Höhe', 'Kühlung', 'Länge', 'Träger', 'Öffnung links', 'Fühler', 'Stärke', 'Züge', 'Käfig'],
};
const CODE_PAGES: Readonly<Record<string, string>> = {
  Japanese: 'shift_jis',
  Chinese: 'gb18030',
  Russian: 'windows-1251',
  German: 'cp850',
};

function wordFor(language: string, name: string): string {
  const words = WORDS[language];
  return words?.[[...name].reduce((sum, char) => sum + char.charCodeAt(0), 0) % words.length] ?? name;
}

/** An instant of the night in which the clocks of Europe are set back. */
function fallOf(startMs: number): number {
  const year = new Date(startMs).getUTCFullYear();
  const last = new Date(Date.UTC(year, 9, 31));
  return last.setUTCDate(31 - last.getUTCDay()) + (startMs % 7_200_000);
}

/** A word of four hexadecimal digits, the first with letters. */
export function hexWord(row: number): string {
  return (0x0ffa + row * 37).toString(16).padStart(4, '0').toUpperCase();
}

/** True where the line says that a value is bad. */
export function isBad({ columns }: Pick<Choices, 'columns'>, row: number, index: number): boolean {
  return ['quality', 'code'].includes(columns[index]?.status ?? '') && row % 5 === 3;
}

/** Choices that are being made ones that some program would make together. */
export type Draft = { -readonly [K in keyof Choices]: Choices[K] };

/** Make what is drawn for odd forms one that can be written, and that a reader can notice. */
export function makeOdd(own: Draft): void {
  const { language, encoding } = own;
  if (language !== undefined && language !== 'English') {
    own.columns = own.columns.map((column) => {
      const isWritable = encoding !== 'latin1' || /^[ -~°]*$/.test(column.unit);
      const name = wordFor(language, column.name) as typeof column.name;
      return { ...column, name, unit: isWritable ? column.unit : '' };
    });
  }
  // A point groups no digits where nothing else is written as in German: 81.574 is less than a hundred.
  if (own.numbers === 'grouped' && !own.time.includes('erman')) own.decimal = '.';
  if (own.numbers === 'late') {
    own.rows = 330 + (own.seed % 90);
    own.token = null;
    own.decimal = '.';
    own.columns = own.columns.map((column) => ({ ...column, style: 'whole', scale: 1 }));
  }
  // Without a name 192 is a number.
  if (own.names === 'none')
    own.columns = own.columns.map((column) => (column.status === 'code' ? { ...column, status: 'quality' } : column));
  if (own.edit === 'limits' && own.names === 'none') own.edit = 'none';
  if (own.edit === 'marks' && own.encoding === 'latin1') own.edit = 'none';
  if (own.isFall === true) own.startMs = fallOf(own.startMs);
  // Where nobody knows when the file was changed only the step from 12 to 1 tells.
  if (own.time === 'twelve' && own.changed !== 'live') {
    // From some seconds before one o'clock of Berlin on.
    const day = new Date(own.startMs);
    own.startMs = day.setUTCHours(day.getUTCMonth() < 2 ? 11 : 10, 59, 56);
    own.stepMs = 2040;
  }
  // 000009 is nine seconds as well.
  if (own.time === 'clockNumber') own.startMs = new Date(own.startMs).setUTCHours(9);
  const isPlaceless = ['twelve', 'yearless', 'weekday', 'excelParts'].includes(own.time);
  if (isPlaceless) own.offset = { ...own.offset, place: 'none' };
}

/** The bytes of a text. */
export function encode(text: string, encoding: Choices['encoding'], language = 'English'): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8');
  if (encoding === 'bom') return Buffer.from(`\uFEFF${text}`, 'utf8');
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  return language === 'English' ? Buffer.from(text, 'latin1') : iconv.encode(text, CODE_PAGES[language] ?? 'latin1');
}
