// #region follow
import { EventSource } from 'eventsource'

/** Calls a function with each page that a profile publishes or changes. Returns a function that stops it. */
export function followPages(service: string, source: string, onPage: (page: { url: string; title: string }) => void) {
  const query = new URLSearchParams({ types: 'content.*', source })
  const events = new EventSource(`${service}/stream/signals?${query}`)
  const read = ({ data }: { readonly data: string }) => onPage(JSON.parse(data).data)
  events.addEventListener('content.published', read)
  events.addEventListener('content.updated', read)
  events.addEventListener('reset', () => console.warn('events were missed: read all pages again'))
  return () => events.close()
}
// #endregion
