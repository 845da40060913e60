// Runs the steps of a check and prints how long each took.
import { spawnSync } from 'node:child_process'

/** Prints a step that passed and how long it took. */
export function report(what: string, started: number): void {
  console.log(`ok ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
}

/** Prints a step that failed, with its output, and ends the process with 1. */
export function fail(what: string, output: string): never {
  console.error(`not ok ${what}\n${output}`)
  process.exit(1)
}

/** Runs a program to its end and returns what it printed; ends the process when it fails. */
export function run(what: string, [program = '', ...args]: readonly string[], cwd: string): string {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  const output = `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`
  if (error || status !== 0) fail(what, output)
  report(what, started)
  return output
}
