// The command line of this host where `eep`, which an installed `@eep/core` has, is not built.
import { runCommandLine } from '@eep/core/host'
import { host } from './host.ts'

try {
  const code = await runCommandLine(host, process.argv.slice(2))
  // Clients of processors may keep connections open.
  process.exit(code)
} catch (error) {
  console.error(error)
  process.exit(1)
}
