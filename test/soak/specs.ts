/** A document of each type with what most have: tables, charts, lists, text. */
export const specs = {
  excel: {
    title: 'Orders',
    columns: [
      { key: 'region', header: 'Region' },
      { key: 'amount', header: 'Amount', format: 'currency' },
      { key: 'share', header: 'Share', format: 'percent' },
    ],
    rows: Array.from({ length: 200 }, (_, row) => ({
      region: `Region ${row % 12}`,
      amount: (row * 7_919) % 10_000,
      share: (row % 100) / 100,
    })),
    formulas: [{ type: 'SUM', columns: ['amount'], label: 'Total' }],
    includeChart: true,
    chartType: 'bar',
    freezePanes: true,
  },
  pdf: {
    title: 'Quarter',
    subtitle: 'All regions',
    sections: [
      {
        heading: 'Summary',
        text: 'All went well. '.repeat(30),
        summary: [{ label: 'Sales', value: '1,234' }],
      },
      { bullets: ['One', 'Two', 'Three'], callout: { label: 'Note', text: 'Figures are preliminary.' } },
      {
        columns: ['Region', 'Amount'],
        rows: Array.from({ length: 60 }, (_, row) => ({ Region: `Region ${row}`, Amount: row * 17 })),
      },
      {
        chart: {
          type: 'line',
          labels: ['Q1', 'Q2', 'Q3', 'Q4'],
          datasets: [{ label: 'Sales', data: [3, 5, 4, 8] }],
        },
      },
    ],
  },
  pptx: {
    title: 'Review',
    slides: Array.from({ length: 6 }, (_, slide) => ({
      notes: `Notes of slide ${slide + 1}`,
      elements: [
        {
          type: 'text',
          content: `Slide ${slide + 1}`,
          x: 0.5,
          y: 0.4,
          w: 12,
          h: 1,
          fontSize: 32,
          bold: true,
        },
        { type: 'text', content: 'One\nTwo\nThree', x: 0.5, y: 1.6, w: 5, h: 3, bullet: true },
        {
          type: 'chart',
          x: 6,
          y: 1.6,
          w: 6.5,
          h: 4.5,
          chart: { type: 'bar', labels: ['A', 'B'], datasets: [{ label: 'Sales', data: [slide, 5] }] },
        },
      ],
    })),
  },
  docx: {
    title: 'Minutes',
    sections: [
      { heading: 'Agenda', numbered: ['Budget', 'Plans', 'Other'] },
      { heading: 'Budget', level: 3, text: 'It was discussed at length. '.repeat(40) },
      {
        columns: ['Item', 'Cost'],
        rows: Array.from({ length: 40 }, (_, row) => ({ Item: `Item ${row}`, Cost: row * 3 })),
      },
    ],
  },
} as const;
