/** Where clients subscribe to the events of a DID of this service, and where they stream them, as EEP names these relations. */
export const eventLinks = (did: string) => [
  { rel: 'subscribe', href: '/eep/subscribe', type: 'application/json', needs: '/eep/subscribe' },
  {
    rel: 'monitor',
    href: `/stream/signals?source=${did.replaceAll('%', '%25')}`,
    type: 'text/event-stream',
    needs: '/stream/signals',
  },
]
