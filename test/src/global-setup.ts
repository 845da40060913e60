import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './support/postgres-server.ts'

/** Starts one PostgreSQL for all files of a project; they make databases on it with `support/database.ts`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { kind, connectionString, prefix, stop } = await startPostgresServer(
    project.config.env?.TEST_DB ?? process.env.TEST_DB,
  )
  project.provide('postgres', { kind, connectionString, prefix })
  return stop
}
