import type { Foundation } from './foundation.ts'
import { createPeople } from './people.ts'
import { createPublishing } from './publishing.ts'
import { createSelling } from './selling.ts'

/** Builds every service once, each from those before it. */
export function createServices(foundation: Foundation) {
  const people = createPeople(foundation)
  const publishing = createPublishing(foundation, people)
  return { ...people, ...publishing, ...createSelling(foundation, people, publishing) }
}

export type Services = ReturnType<typeof createServices>
