import { crc32, deflateSync } from 'node:zlib';
import type { Chart, ChartType, ImageAsset, PaletteName } from '../../../src/domain/documents/common.ts';
import { chartTypes, paletteNames } from '../../../src/domain/documents/common.ts';
import type { ReportSection, ReportSpec } from '../../../src/domain/documents/report-spec.ts';

/** A picture made without a program: stripes of two colours over a lighter ground. */
function stripes(width: number, height: number, hasAlpha: boolean): ImageAsset {
  const channels = hasAlpha ? 4 : 3;
  const rows = Buffer.alloc(height * (1 + width * channels));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * channels) + 1 + x * channels;
      const isStripe = Math.floor((x + y) / 20) % 2 === 0;
      rows.set(isStripe ? [0x2f, 0x6f, 0xb5] : [0xe6, 0xee, 0xf7], at);
      if (hasAlpha) rows[at + 3] = isStripe ? 255 : 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, hasAlpha ? 6 : 2, 0, 0, 0], 8);
  const chunk = (name: string, data: Buffer): Buffer => {
    const bytes = Buffer.alloc(12 + data.length);
    bytes.writeUInt32BE(data.length, 0);
    bytes.write(name, 4, 'latin1');
    data.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
    return bytes;
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { kind: 'png', width, height, bytes };
}

export const exampleImages: ReadonlyMap<string, ImageAsset> = new Map([
  ['photo', stripes(640, 400, false)],
  ['logo', stripes(160, 60, true)],
]);

/** A report that a golden picture is kept of: `pages` are those looked at, from 1. */
export interface ExampleReport {
  readonly name: string;
  readonly spec: ReportSpec;
  readonly pages: readonly number[];
}

const base = { palette: 'corporate', language: 'en', markdown: false } as const;
const months = ['January', 'February', 'March', 'April', 'May', 'June'];

/** One page with every kind of block but charts. */
function reviewSpec(palette: PaletteName): ReportSpec {
  return {
    ...base,
    palette,
    markdown: true,
    title: 'Quarterly Business Review',
    subtitle: 'Northwind Trading · third quarter of 2026',
    sections: [
      {
        heading: 'Executive summary',
        text: 'Revenue grew **12%** against the same quarter last year, with *every region* contributing; `gross_margin` widened by 140 basis points. The [methodology](https://example.com/methodology) explains how figures are compiled and which accounts are left out.\nThe outlook for the fourth quarter is unchanged.',
        summary: [
          { label: 'Revenue', value: '$4.2M' },
          { label: 'Growth', value: '+12%' },
          { label: 'Churn', value: '1.8%' },
          { label: 'Net promoter score', value: '61' },
        ],
        bullets: [
          'Three new distribution partners signed in the north',
          'Returns fell for the fourth quarter in a row, after the packaging of fragile goods was changed and every carrier had been briefed on how to handle them',
          'Two openings in customer support are still to be filled',
        ],
        callout: { label: 'Note', text: 'Figures are unaudited and may change before the annual report.' },
      },
      {
        heading: 'Sales by region',
        table: {
          columns: [
            { header: 'Region' },
            { header: 'Manager' },
            { header: 'Units', format: { kind: 'integer' } },
            { header: 'Revenue', format: { kind: 'currency', currency: 'USD' } },
            { header: 'Change', format: { kind: 'percent' } },
          ],
          rows: [
            ['North', 'Anna Kowalska', 12_400, 1_340_000.5, 0.124],
            ['South', 'Björn Åkesson', 9_120, 910_000, -0.034],
            ['East', 'Çağla Öztürk', 15_300, 1_512_345.67, 0.081],
            ['West', 'Δημήτρης Ιωάννου', 3_050, 399_000, 0.2],
          ],
        },
      },
    ],
  };
}

function chartOf(type: ChartType): Chart {
  const options = { xAxisTitle: 'Month', yAxisTitle: 'Thousands' };
  const first = { label: 'Online', data: [120, 135, 118, 160, 172, 181] };
  const second = { label: 'Stores', data: [90, 84, null, 79, 88, 102] };
  switch (type) {
    case 'stacked':
      return {
        type,
        title: 'Result by channel',
        labels: months,
        datasets: [first, second, { label: 'Returns', data: [-20, -18, -31, -25, -12, -22] }],
        options,
      };
    case 'combo':
      return {
        type,
        title: 'Revenue and margin',
        labels: months,
        datasets: [first, { label: 'Margin', data: [0.31, 0.35, 0.33, 0.36, 0.41, 0.38], type: 'line' }],
        options: { yAxisTitle: 'Revenue', secondaryAxisTitle: 'Margin' },
      };
    case 'waterfall':
      return {
        type,
        title: 'From budget to result',
        labels: ['Budget', 'Sales', 'Returns', 'Material', 'Energy', 'Result'],
        datasets: [{ label: 'Amount', data: [400, 120, -60, -180, 35, null] }],
        options: { totals: [0, 5] },
      };
    case 'pie':
    case 'doughnut':
      return {
        type,
        title: 'Share by month',
        labels: months,
        datasets: [first],
        options: { numberFormat: { kind: 'integer' } },
      };
    default:
      return { type, title: `Sales (${type})`, labels: months, datasets: [first, second], options };
  }
}

const oddCharts: ReportSection[] = [
  { chart: { type: 'bar', title: 'Nothing to show', labels: [], datasets: [], options: {} } },
  {
    chart: {
      type: 'bar',
      title: 'Long labels and negative values',
      labels: Array.from({ length: 16 }, (_, index) => `Cost centre number ${index + 1}, north-east`),
      datasets: [{ label: 'Result', data: Array.from({ length: 16 }, (_, index) => (index - 5) * 37) }],
      options: {},
    },
  },
  {
    chart: {
      type: 'line',
      title: 'Many points',
      labels: Array.from({ length: 120 }, (_, index) => String(1900 + index)),
      datasets: [0, 1, 2].map((shift) => ({
        label: `Station ${shift + 1}`,
        data: Array.from({ length: 120 }, (_, index) =>
          index % 40 === 39 ? null : 1_000 + 300 * Math.sin(index / 9 + shift) + index * 4,
        ),
      })),
      options: { legendPosition: 'top' },
    },
  },
];

const scripts: ReportSpec = {
  ...base,
  palette: 'ocean',
  title: 'Every script · Все письменности',
  subtitle: '中文 日本語 한국어 हिन्दी ไทย Ελληνικά',
  sections: [
    {
      heading: 'Latin, Greek, Cyrillic',
      text: 'Zażółć gęślą jaźń. Příliš žluťoučký kůň. Tiếng Việt có dấu. Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Съешь же ещё этих мягких французских булок.',
    },
    {
      heading: 'العربية والعبرية',
      text: 'هذا نص عربي طويل بما يكفي ليمتد على أكثر من سطر واحد في الصفحة، مع أرقام مثل 123 وكلمات English داخل الجملة (بين قوسين).\nזהו טקסט בעברית עם מספרים 456 ומילים באנגלית Hello World בתוך המשפט (בסוגריים).',
    },
    {
      heading: 'हिन्दी और ไทย',
      text: 'यह हिन्दी में लिखा गया एक लंबा वाक्य है जिसमें संयुक्ताक्षर जैसे क्ष, त्र, ज्ञ और मात्राएँ कि की कु कू शामिल हैं।\nภาษาไทยไม่มีการเว้นวรรคระหว่างคำดังนั้นการตัดบรรทัดจึงต้องใช้พจนานุกรมเพื่อหาขอบเขตของคำให้ถูกต้อง',
    },
    {
      heading: '中文、日本語、한국어',
      text: '这是一段中文文本，用于测试换行和标点符号的处理方式。我们希望每一行的结尾都遵守避头尾规则。\n日本語のテキストです。ひらがな、カタカナ、漢字が混ざっています。\n한국어 텍스트입니다. 줄바꿈과 글꼴을 확인하기 위한 문장입니다.',
    },
    {
      heading: 'Symbols and emoji',
      text: '→ ← ↑ ↓ ∑ ∞ ≤ ≥ √ ∫ ✓ ✗ ★ ● ▲ ☎ € ₹ ₿ № ™ © ½ — … “quotes” 😀 🚀 👩‍💻 🇩🇪 ❤️ 👍🏽',
    },
  ],
};

const arabic: ReportSpec = {
  ...base,
  palette: 'finance',
  language: 'ar',
  title: 'التقرير السنوي',
  subtitle: 'ملخص النتائج المالية لعام 2026',
  sections: [
    {
      heading: 'الملخص',
      text: 'ارتفعت الإيرادات بنسبة 12٪ مقارنة بالعام الماضي، وتحسن الهامش الإجمالي.',
      summary: [
        { label: 'الإيرادات', value: '4.2M' },
        { label: 'النمو', value: '12%' },
        { label: 'العملاء', value: '١٢٣٤' },
      ],
      bullets: [
        'نقطة أولى',
        'نقطة ثانية طويلة بما يكفي حتى تمتد على أكثر من سطر واحد في الصفحة لنرى المسافة البادئة المعلقة للقائمة بوضوح تام',
      ],
      table: {
        columns: [
          { header: 'المنطقة' },
          { header: 'المدير' },
          { header: 'المبيعات', format: { kind: 'integer' } },
        ],
        rows: [
          ['الشمال', 'أحمد', 1200],
          ['الجنوب', 'سارة', 900],
        ],
      },
      callout: { label: 'ملاحظة', text: 'الأرقام غير مدققة.' },
    },
  ],
};

const metrics = [
  { label: 'Revenue', value: '$4,218,300' },
  { label: 'Orders', value: '12,480' },
  { label: 'Average order value', value: '$338' },
  { label: 'Returning customers over the last twelve months', value: '61.4%' },
  { label: 'Stock', value: '97 days' },
];

const longTable: ReportSpec = {
  ...base,
  palette: 'slate',
  title: 'Orders',
  sections: [
    {
      heading: 'All orders',
      table: {
        columns: [
          { header: 'Order' },
          { header: 'Customer' },
          { header: 'Note' },
          { header: 'Amount', format: { kind: 'currency', currency: 'EUR' } },
          { header: 'Date', format: { kind: 'date' } },
        ],
        rows: Array.from({ length: 90 }, (_, index) => [
          `ORD-${1000 + index}`,
          ['Alfreds Futterkiste', 'Bólido Comidas', 'Chop-suey Chinese'][index % 3] ?? '',
          index % 7 === 3
            ? 'To be delivered to the back entrance between eight and ten in the morning, please ring twice'
            : 'None',
          ((index * 7919) % 10_000) - 500.5,
          `2026-0${1 + (index % 9)}-1${index % 10}`,
        ]),
      },
    },
  ],
};

const wideTable: ReportSpec = {
  ...base,
  palette: 'modern',
  title: 'Measurements',
  sections: [
    {
      heading: 'Stations',
      table: {
        columns: Array.from({ length: 14 }, (_, index) => ({
          header: index === 0 ? 'Station' : `Measurement ${index}`,
        })),
        rows: Array.from({ length: 12 }, (_, row) =>
          Array.from({ length: 14 }, (_, column) =>
            column === 0 ? `Station ${row + 1}` : row * 1000 + column * 37.5,
          ),
        ),
      },
    },
    {
      heading: 'Nothing measured',
      table: { columns: [{ header: 'Station' }, { header: 'Value' }], rows: [] },
    },
  ],
};

export const exampleReports: readonly ExampleReport[] = [
  ...paletteNames.map((palette) => ({ name: `palette-${palette}`, spec: reviewSpec(palette), pages: [1] })),
  {
    name: 'charts',
    spec: {
      ...base,
      title: 'Charts',
      sections: chartTypes.map((type) => ({ chart: chartOf(type) })),
    },
    pages: [1, 2, 3],
  },
  {
    name: 'odd-charts',
    spec: { ...base, palette: 'sunset', title: 'Odd charts', sections: oddCharts },
    pages: [1],
  },
  {
    name: 'cards',
    spec: {
      ...base,
      palette: 'forest',
      title: 'Cards',
      sections: [1, 2, 3, 4, 5].map((count) => ({
        heading: `${count} of them`,
        summary: metrics.slice(0, count),
      })),
    },
    pages: [1, 2],
  },
  {
    name: 'images',
    spec: {
      ...base,
      title: 'Pictures',
      subtitle: 'A logo in the band, a picture with a caption, one without',
      logo: { asset: 'logo', alt: 'Northwind' },
      sections: [
        {
          heading: 'Site',
          image: { asset: 'photo', alt: 'Stripes', caption: 'Seen from the south', width: 4 },
        },
        { text: 'The same logo, smaller:', image: { asset: 'logo', alt: '', width: 1 } },
      ],
    },
    pages: [1],
  },
  { name: 'scripts', spec: scripts, pages: [1] },
  { name: 'right-to-left', spec: arabic, pages: [1] },
  { name: 'long-table', spec: longTable, pages: [1, 3] },
  { name: 'wide-table', spec: wideTable, pages: [1] },
];
