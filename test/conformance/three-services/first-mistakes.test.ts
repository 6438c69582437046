import { describe } from 'vitest';
import { MISTAKES } from '../services/ten-mistakes/mistakes.ts';
import { itIsTold } from './it-is-told.ts';

describe('a service with ten mistakes', () => itIsTold(MISTAKES.slice(0, 5)));
