// #region follow
import { WebSocket } from 'ws'

/** Calls a function with the URL of each page that a profile publishes. Returns a function that stops it. */
export function followBySocket(service: string, key: string, did: string, onPage: (url: string) => void) {
  const socket = new WebSocket(`${service.replace('http', 'ws')}/eep/pulse`, { headers: { 'x-api-key': key } })
  const send = (action: string, data: object) => socket.send(JSON.stringify({ v: 1, type: 'system', action, data }))
  socket.on('open', () => send('subscribe', { source_did: did, types: ['content.*'] }))
  socket.on('message', (text) => {
    const { type, action, data } = JSON.parse(String(text))
    if (type === 'entity' && action === 'publish') onPage(data.event.data.url)
  })
  return () => socket.close()
}
// #endregion
