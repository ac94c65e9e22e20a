import { describeConversationContract } from '../../contract/conversation-contract.ts';
import { describeTurnContract } from '../../contract/turn-contract.ts';
import { describeUsageWindowsContract } from '../../contract/usage-windows-contract.ts';
import { createSqlitePlace } from './opener.ts';

describeConversationContract('the embedded store', createSqlitePlace);
describeTurnContract('the embedded store', createSqlitePlace);
describeUsageWindowsContract('the embedded store', createSqlitePlace);
