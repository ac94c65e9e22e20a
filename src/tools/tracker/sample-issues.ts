import type { Issue } from '../../ports/tracker.ts';

type Row = readonly [
  title: string,
  type: string,
  status: string,
  priority: string,
  assignee: string | null,
  reporter: string,
  created: string,
  updated: string,
  text: string,
];

/** The newest first; made up, as are the people in it. */
const rows: readonly Row[] = [
  [
    'Checkout shows the wrong VAT for Norway',
    'Bug',
    'In Progress',
    'High',
    'Mara Lindqvist',
    'Tom Achebe',
    '2026-05-04T08:12:00Z',
    '2026-05-08T14:40:00Z',
    'Orders shipped to Norway are taxed at 20 % instead of 25 %. Steps: put any product into the cart, choose Norway, open the summary.\nComment by Mara Lindqvist: the tax table was imported without the rows for EFTA countries.',
  ],
  [
    'Export invoices as PDF',
    'Story',
    'To Do',
    'Medium',
    'Jonas Weber',
    'Priya Raman',
    '2026-04-20T10:00:00Z',
    '2026-05-06T09:15:00Z',
    'Accounting wants each invoice as a PDF with the logo and the payment terms in the footer.',
  ],
  [
    'Nightly backup runs into the maintenance window',
    'Bug',
    'To Do',
    'High',
    null,
    'Jonas Weber',
    '2026-05-02T06:30:00Z',
    '2026-05-05T07:05:00Z',
    'The backup of the order database takes until 05:40 since the archive grew. The maintenance window begins at 05:30.',
  ],
  [
    'Raise the rate limit of the partner API',
    'Task',
    'Done',
    'Medium',
    'Tom Achebe',
    'Priya Raman',
    '2026-04-11T12:00:00Z',
    '2026-04-29T16:20:00Z',
    'Two partners reach 1,000 calls an hour in the morning. Raised to 5,000 for both.\nComment by Tom Achebe: live since Wednesday, no complaints.',
  ],
  [
    'Translate the onboarding mails into Spanish',
    'Task',
    'In Review',
    'Low',
    'Lucía Ortega',
    'Mara Lindqvist',
    '2026-04-15T09:00:00Z',
    '2026-04-27T11:45:00Z',
    'Five mails: welcome, first order, invoice, reminder, farewell.',
  ],
  [
    'Search finds nothing with an umlaut',
    'Bug',
    'Done',
    'Medium',
    'Jonas Weber',
    'Lucía Ortega',
    '2026-04-02T13:10:00Z',
    '2026-04-16T10:30:00Z',
    'Looking for "Müller" returns nothing, "Muller" finds him. The index was built without folding.',
  ],
];

/** The issues of the sample tracker, what changed last first. */
export const sampleIssues: readonly Issue[] = rows.map(
  ([title, type, status, priority, assignee, reporter, created, updated, text], index) => {
    const key = `DEMO-${rows.length - index}`;
    const link = `https://tracker.example/browse/${key}`;
    return { key, title, type, status, priority, assignee, reporter, created, updated, link, text };
  },
);
