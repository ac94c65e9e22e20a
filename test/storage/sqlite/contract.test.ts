import { describeLedgerContract } from '../../contract/ledger-contract.ts';
import { describeStoreContract } from '../../contract/store-contract.ts';
import { createSqlitePlace } from './opener.ts';

describeStoreContract('the embedded store', createSqlitePlace);
describeLedgerContract("the embedded store's ledger", createSqlitePlace);
