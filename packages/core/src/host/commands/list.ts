import { adminCreate } from './admin-create.ts'
import type { Command } from './command.ts'
import { doctor } from './doctor.ts'
import { exportArchive } from './export.ts'
import { importArchive } from './import.ts'
import { keysRotate } from './keys-rotate.ts'
import { migrate } from './migrate.ts'
import { purge } from './purge.ts'
import { reconcile } from './reconcile.ts'
import { reindex } from './reindex.ts'

/** The commands of `eep`, in the order of the help. docs/reference/cli.md is generated from them. */
export const COMMANDS: readonly Command[] = [
  doctor,
  migrate,
  adminCreate,
  keysRotate,
  exportArchive,
  importArchive,
  reindex,
  reconcile,
  purge,
]
