// #region answer
import { WebSocket } from 'ws'

/** Answers messages to the profiles of a session, and continues where it was after a lost connection. Returns how to stop. */
export function answerMessages(service: string, token: string, answerTo: (text: string) => string | undefined) {
  let socket: WebSocket
  let lastEventId = ''
  let isStopped = false

  function connect() {
    const url = `${service.replace('http', 'ws')}/ws/messages${lastEventId && `?last_event_id=${lastEventId}`}`
    socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
    socket.on('message', (text) => read(JSON.parse(String(text))))
    socket.on('error', ({ message }) => console.warn(message))
    socket.on('close', (code) => {
      // The events after the last one are no longer kept: read the conversations again.
      if (code === 4009) lastEventId = ''
      if (!isStopped) setTimeout(connect, 1_000)
    })
  }

  function read({ action, data }: { action: string; data?: MessageFrame }) {
    if (action === 'message.received' && data?.message.is_own === false && data.message.body !== null) {
      const { id, conversation_id, body } = data.message
      const reply = answerTo(body)
      // The client id names the message, so that an answer that is sent again is stored once.
      const answer = { conversation_id, body: reply, client_id: `answer-${id}`, profile_id: data.profile_id }
      if (reply) socket.send(JSON.stringify({ v: 1, type: 'chat', action: 'send', data: answer }))
    }
    if (data?.event_id) lastEventId = data.event_id
  }

  connect()
  return () => {
    isStopped = true
    socket.close()
  }
}

interface MessageFrame {
  readonly event_id?: string
  /** The profile that gets the message. */
  readonly profile_id: number
  readonly message: {
    readonly id: string
    readonly conversation_id: string
    readonly is_own: boolean
    /** Null for moves of deals, and for deleted messages. */
    readonly body: string | null
  }
}
// #endregion
