// Counts the types that TypeScript makes for a small host: what its editor waits for.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from './steps.ts'

const HOST = `import { eep, serverOptions } from '@eep/core'
import { postgresStorage } from '@eep/adapters-postgres'
import Fastify from 'fastify'
import { Pool } from 'pg'
const app = Fastify({ ...serverOptions, logger: true })
const storage = postgresStorage({ pool: new Pool() })
await app.register(eep, { publicUrl: 'https://api.example', secret: 'x'.repeat(32), storage })
console.log(await app.eep.profiles.find('person', 'ada'))
`
/** A host of Fastify without the service has 1,500. */
const MAX_TYPES = 10_000

/** Compiles a host of eight lines in a project that has the packages, and ends the process when it has too many types. */
export function checkTypeCost(consumer: string, compiler: string): void {
  const folder = join(consumer, 'type-cost')
  mkdirSync(folder)
  writeFileSync(join(folder, 'host.ts'), HOST)
  const options = { target: 'es2024', types: [], module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['host.ts'] }))
  const { stdout } = spawnSync('node', [compiler, '-p', folder, '--extendedDiagnostics', '--pretty', 'false'], {
    encoding: 'utf8',
  })
  if (stdout.includes('error TS')) fail('types of a small host', stdout)
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(stdout)?.[1])
  const [types, memory] = [figure('Types'), figure('Memory used')]
  const figures = `a small host has ${types} types (limit: ${MAX_TYPES}) and takes ${Math.round(memory / 1_024)} MB to compile`
  if (!(types <= MAX_TYPES)) fail('types of a small host', figures)
  console.log(`   ${figures}`)
}
