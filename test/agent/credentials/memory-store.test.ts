import { createMemoryStore } from '../../../src/agent/index.ts';
import { describeCredentialStore } from './store-contract.ts';

describeCredentialStore('memory', () => createMemoryStore());
