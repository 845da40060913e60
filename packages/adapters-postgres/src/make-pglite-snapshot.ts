// Makes the snapshot of a migrated database, in the directory of the first argument. Default: where the sources look for it.
import { makeSnapshot } from './pglite-snapshot.ts'

await makeSnapshot(process.argv[2])
