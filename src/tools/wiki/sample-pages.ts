import type { WikiPage } from '../../ports/wiki.ts';

type Row = readonly [title: string, author: string, updated: string, text: string];

/** What changed last first; made up, as are the people in it. */
const rows: readonly Row[] = [
  [
    'How to release the shop',
    'Mara Lindqvist',
    '2026-05-07T10:20:00Z',
    'Releases go out on Tuesdays and Thursdays at 10:00.\n1. Merge only what was reviewed.\n2. Run the smoke tests on staging.\n3. Tell #shop-releases before and after.\nRoll back with the button of the same name; it takes four minutes.',
  ],
  [
    'On-call handbook',
    'Jonas Weber',
    '2026-05-03T17:00:00Z',
    'One week each, handed over on Monday at 09:00. First answer an alert within 15 minutes, then look into the runbook of the service. The backup of the order database may raise an alert after 05:30; it can wait until 08:00.',
  ],
  [
    'VAT rates by country',
    'Priya Raman',
    '2026-04-28T08:45:00Z',
    'Country | Standard rate\nGermany | 19 %\nNorway | 25 %\nSpain | 21 %\nSweden | 25 %\nThe rates come from finance and are checked every quarter.',
  ],
  [
    'Travel policy',
    'Lucía Ortega',
    '2026-04-09T13:30:00Z',
    'Trains before planes below six hours. Book hotels up to 140 EUR a night. Hand in receipts within 30 days.',
  ],
  [
    'Partner API: limits and contacts',
    'Tom Achebe',
    '2026-03-30T11:10:00Z',
    'Each partner has 1,000 calls an hour; two have 5,000. A partner who needs more writes to partners@example.com.',
  ],
];

export const samplePages: readonly WikiPage[] = rows.map(([title, author, updated, text], index) => {
  const id = String(1001 + index);
  const link = `https://wiki.example/pages/${id}`;
  return { id, title, space: 'DEMO', type: 'page', author, updated, link, text };
});
