import { expect, it } from 'vitest'
import { startFollowedService } from '../../test/support/followed-service.ts'
import { followPages } from './follow-changes.ts'

it('calls the function with each page that a profile publishes', async () => {
  const service = await startFollowedService()
  const pages: string[] = []
  const stop = followPages(service.url, 'u/ada', ({ title }) => void pages.push(title))
  await expect.poll(() => service.app.eep.signals.stats().subscriptions, { timeout: 60_000 }).toBe(1)

  await service.publish('Engines')
  await expect.poll(() => pages, { timeout: 60_000 }).toEqual(['Engines'])
  stop()
  await service.close()
})
