// The command line of this host, for its operator.
import { runCli } from './cli.ts'

try {
  const code = await runCli(process.argv.slice(2), process.env, { out: console.log, err: console.error })
  // Clients of processors may keep connections open.
  process.exit(code)
} catch (error) {
  console.error(error)
  process.exit(1)
}
