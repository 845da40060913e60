// Written by `npm run docs` from the files of this folder.
import { m0001Baseline } from './0001_baseline.ts'
import type { Migrations } from './index.ts'

/** In code, so that bundlers carry them, and applied in this order. */
export const migrations: Migrations = {
  '0001_baseline': m0001Baseline,
}
