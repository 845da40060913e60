import { afterAll, onTestFinished, TestRunner } from 'vitest'
import { createTestApp, openStorage, type TestApp, type TestAppOptions, type TestStorage } from './app.ts'
import { mergeOptions } from './options.ts'

/**
 * A database for a test file, and instances of the service on it. One that a test made ends with the test, as each reads
 * every event of the others; the rest end with the file.
 */
export async function openInstances(common: TestAppOptions = {}): Promise<{
  readonly database: TestStorage
  /** One more instance on the same database. */
  instance(options?: TestAppOptions): Promise<TestApp>
}> {
  const database = await openStorage()
  const closers: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of closers) await close()
    await database.close()
  })
  return {
    database,
    async instance(options = {}) {
      const { app, close } = await createTestApp({ storage: database.storage, ...mergeOptions(common, options) })
      if (TestRunner.getCurrentTest()) onTestFinished(close)
      else closers.push(close)
      return app
    },
  }
}
