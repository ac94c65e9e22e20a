/** Small specs that show what each generator can do: printed at the first start, shown in the README, made in the tests. */
export const exampleSpecs = {
  excel: {
    title: 'Sales by region',
    filename: 'sales',
    columns: [
      'Region',
      { key: 'revenue', header: 'Revenue', format: 'currency:EUR' },
      { key: 'growth', header: 'Growth', format: 'percent' },
    ],
    rows: [
      { Region: 'North', revenue: 128400, growth: 0.124 },
      { Region: 'South', revenue: 96250, growth: -0.031 },
      { Region: 'West', revenue: 143900, growth: 0.087 },
    ],
    formulas: [{ type: 'SUM', columns: ['revenue'], label: 'Total' }],
    conditionalFormatting: [{ column: 'growth', type: 'dataBar' }],
    freezePanes: true,
    includeChart: true,
    chartType: 'combo',
  },
  pdf: {
    title: 'Quarterly report',
    subtitle: 'Third quarter 2026',
    filename: 'report',
    palette: 'ocean',
    sections: [
      {
        heading: 'At a glance',
        summary: [
          { label: 'Revenue', value: '€368,550' },
          { label: 'Orders', value: '1,204' },
          { label: 'Churn', value: '1.8%' },
        ],
        text: 'Revenue grew in two of three regions. The south lost a large customer in August.',
      },
      {
        heading: 'Revenue by month',
        chart: {
          type: 'combo',
          labels: ['July', 'August', 'September'],
          datasets: [
            { label: 'Revenue', data: [118200, 116050, 134300] },
            { label: 'Orders', data: [398, 377, 429] },
          ],
        },
        callout: { label: 'Next', text: 'The new price list starts in October.' },
      },
    ],
  },
  pptx: {
    title: 'Quarterly review',
    filename: 'review',
    palette: 'modern',
    slides: [
      {
        background: '#312E81',
        showPageNumber: false,
        elements: [
          {
            type: 'text',
            content: 'Quarterly review',
            x: 0.9,
            y: 2.7,
            w: 11.5,
            h: 1.2,
            fontSize: 44,
            bold: true,
            color: '#FFFFFF',
          },
          {
            type: 'text',
            content: 'Third quarter 2026',
            x: 0.9,
            y: 3.9,
            w: 11.5,
            h: 0.8,
            fontSize: 22,
            color: '#D6CFF2',
          },
        ],
      },
      {
        notes: 'Start with the west.',
        elements: [
          {
            type: 'text',
            content: 'Revenue by region',
            x: 0.6,
            y: 0.4,
            w: 12,
            h: 0.8,
            fontSize: 30,
            bold: true,
          },
          {
            type: 'chart',
            chartType: 'bar',
            x: 0.6,
            y: 1.4,
            w: 7.2,
            h: 5.2,
            labels: ['North', 'South', 'West'],
            datasets: [{ label: 'EUR', data: [128400, 96250, 143900] }],
          },
          {
            type: 'text',
            content: 'West leads\nSouth lost one customer\nNorth is steady',
            bullet: true,
            x: 8.2,
            y: 1.6,
            w: 4.5,
            h: 3,
            fontSize: 20,
          },
        ],
      },
    ],
  },
  docx: {
    title: 'Project brief',
    subtitle: 'Customer portal',
    filename: 'brief',
    palette: 'forest',
    sections: [
      { heading: 'Goal', level: 1, text: 'Customers see their orders and invoices in one place.' },
      { heading: 'Scope', bullets: ['Sign-in', 'Order list', 'Invoice download'] },
      {
        heading: 'Plan',
        columns: ['Step', 'Owner', { key: 'days', header: 'Days', format: 'integer' }],
        rows: [
          { Step: 'Design', Owner: 'Ana', days: 10 },
          { Step: 'Build', Owner: 'Jonas', days: 25 },
          { Step: 'Launch', Owner: 'Mei', days: 5 },
        ],
      },
    ],
  },
} as const;
