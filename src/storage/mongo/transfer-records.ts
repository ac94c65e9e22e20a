import type { Document } from 'mongodb';
import type { Session } from '../../domain/session.ts';
import type { RecordKind, StoredCycle, StoredRecords, StoredWindow } from '../../ports/store-transfer.ts';
import { fieldName, idOfFieldName } from './amounts.ts';
import {
  agentFields,
  apiKeyFields,
  auditEventFields,
  type CollectionName,
  connectionFields,
  conversationFields,
  organizationFields,
  runFields,
  sessionFields,
  userFields,
} from './collections.ts';
import { listingOf } from './conversations.ts';
import { type FieldsOf, fromDocument, toDocument } from './fields.ts';
import { cycleId } from './ledger.ts';
import { toSessionDocument } from './sessions.ts';
import { fromTurnDocument, toTurnDocument } from './turn-document.ts';
import { newWindow } from './usage-windows.ts';

/** Where the records of a kind are, and how a document holds one. */
export interface TransferForm<Record> {
  readonly collection: CollectionName;
  toDocument(record: Record): Document;
  fromDocument(document: Document): Record;
}

function records<T extends { readonly id: string }>(
  collection: CollectionName,
  fields: FieldsOf<T>,
): TransferForm<T> {
  return {
    collection,
    toDocument: (record) => toDocument(fields, record),
    fromDocument: (document) => fromDocument(fields, document),
  };
}

/** How the records of each kind are written and read. */
export const transferForms: { readonly [Kind in RecordKind]: TransferForm<StoredRecords[Kind]> } = {
  organizations: records('organizations', organizationFields),
  users: records('users', userFields),
  sessions: { ...records<Session>('sessions', sessionFields), toDocument: toSessionDocument },
  apiKeys: records('api_keys', apiKeyFields),
  connections: records('connections', connectionFields),
  auditEvents: records('audit_events', auditEventFields),
  ledgerCycles: { collection: 'ledger_cycles', toDocument: fromCycle, fromDocument: toCycle },
  usageWindows: { collection: 'usage_windows', toDocument: fromWindow, fromDocument: toWindow },
  conversations: {
    collection: 'conversations',
    toDocument({ lastPosition, deletedAtMs, lockToken, lockEndsAtMs, ...conversation }) {
      const isListed = lastPosition > 0 && deletedAtMs === null;
      return {
        ...toDocument(conversationFields, conversation),
        lastPosition,
        deletedAtMs,
        lockToken,
        lockEndsAtMs,
        ...(isListed && listingOf(conversation)),
      };
    },
    fromDocument: (document) => ({
      ...fromDocument(conversationFields, document),
      lastPosition: document.lastPosition,
      deletedAtMs: document.deletedAtMs,
      lockToken: document.lockToken,
      lockEndsAtMs: document.lockEndsAtMs,
    }),
  },
  turns: { collection: 'turns', toDocument: toTurnDocument, fromDocument: fromTurnDocument },
  agents: records('agents', agentFields),
  runs: records('runs', runFields),
  replayClaims: {
    collection: 'replay_claims',
    toDocument: ({ key, value, lastMs }) => ({ _id: key, value, lastMs, expireAt: new Date(lastMs) }),
    fromDocument: ({ _id, value, lastMs }) => ({ key: _id, value, lastMs }),
  },
  jobs: {
    collection: 'jobs',
    toDocument: ({ id, dueAtMs, token }) => ({ _id: id, dueAtMs, token }),
    fromDocument: ({ _id, dueAtMs, token }) => ({ id: _id, dueAtMs, token }),
  },
};

function fromCycle({ organizationId, cycleStartMs, usedByKey, reservations }: StoredCycle): Document {
  return {
    _id: cycleId({ organizationId, cycleStartMs }),
    organizationId,
    cycleStartMs,
    used: Object.values(usedByKey).reduce((sum, tokens) => sum + tokens, 0),
    usedByKey: mapEntries(usedByKey, fieldName, (tokens) => tokens),
    reservations: mapEntries(reservations, fieldName, ({ apiKeyId, tokens, leaseEndsAtMs }) => ({
      owner: fieldName(apiKeyId),
      amount: tokens,
      leaseEndsAtMs,
    })),
  };
}

function toCycle({ organizationId, cycleStartMs, usedByKey, reservations }: Document): StoredCycle {
  return {
    organizationId,
    cycleStartMs,
    usedByKey: mapEntries<number, number>(usedByKey, idOfFieldName, (tokens) => tokens),
    reservations: mapEntries<Document, StoredCycle['reservations'][string]>(
      reservations,
      idOfFieldName,
      ({ owner, amount, leaseEndsAtMs }) => ({
        apiKeyId: idOfFieldName(owner),
        tokens: amount,
        leaseEndsAtMs,
      }),
    ),
  };
}

function fromWindow({ used, holds, ...account }: StoredWindow): Document {
  return { ...newWindow(account), used, holds: mapEntries(holds, fieldName, (hold) => hold) };
}

function toWindow({ subject, unit, window, startMs, used, holds }: Document): StoredWindow {
  type Hold = StoredWindow['holds'][string];
  const named = mapEntries<Hold, Hold>(holds, idOfFieldName, (hold) => hold);
  return { subject, unit, window, startMs, used, holds: named };
}

function mapEntries<From, To>(
  map: Readonly<Record<string, From>>,
  toName: (name: string) => string,
  toValue: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [toName(name), toValue(value)]));
}
