import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './support/postgres-server.ts'

/** Hosts in processes of their own load the sources in half the time from here. */
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/** Starts one PostgreSQL for all files of a project; they make databases on it with `support/database.ts`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  const { kind, connectionString, prefix, stop } = await startPostgresServer(
    project.config.env?.TEST_DB ?? process.env.TEST_DB,
  )
  project.provide('postgres', { kind, connectionString, prefix })
  return stop
}
