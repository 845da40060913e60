import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { NO_BOT } from '../../../model/bot.ts'
import type { SignatureToolkit } from '../../../ports/signature-toolkit.ts'
import { createBotService } from './bot-service.ts'
import { createCrawlerAddresses, enginesIn } from './crawler-addresses.ts'
import { createFetchKeys } from './fetch-keys.ts'
import { createKeyDirectory } from './key-directory.ts'
import { checkedBots } from './metrics.ts'
import { webBotAuthOptions } from './options.ts'
import { createOutboundSigner } from './outbound-signer.ts'
import { signatureDirectoryRoute } from './routes.ts'

/** Identifies programs that sign their requests with keys of their operator (Web Bot Auth). */
export const webBotAuth = feature(
  'webBotAuth',
  webBotAuthOptions,
  (options, { toolkit }: { readonly toolkit: SignatureToolkit }) =>
    defineModule({
      name: 'web-bot-auth',
      metrics: [checkedBots],
      provesReaders: { signatures: true, searchEngines: enginesIn(options.crawlerAddresses) },
      create({ write, clock, outbound, metrics, publicUrl, settings, keyring, report }) {
        const botKeys = createKeyDirectory({
          clock,
          fetchKeys: createFetchKeys({
            fetch: outbound,
            timeoutMs: options.directoryTimeoutMs,
            allowPrivateHosts: settings.http.allowPrivateHosts,
            acceptsPublishedKeys: process.env.NODE_ENV !== 'production',
          }),
        })
        const bots = createBotService({
          ...options,
          tapJwksUrl: options.tap?.jwksUrl,
          toolkit,
          keys: botKeys,
          clock,
          write,
          metrics,
          publicUrl,
          crawlerHeaders: settings.payments.crawlerHeaders,
          report,
        })
        const crawlers =
          options.crawlerAddresses &&
          createCrawlerAddresses({ engines: options.crawlerAddresses, fetch: outbound, clock, report })
        const signer = options.signOutbound ? createOutboundSigner({ toolkit, keyring, clock, publicUrl }) : undefined
        if (signer) outbound.signWith(signer.sign)
        return { bots, botKeys, crawlers, botSigner: signer }
      },
      identifyBot:
        ({ bots, crawlers }) =>
        (request) => {
          const searchEngine = crawlers?.engineOf(request)
          const identifying = bots.identify(request)
          if (identifying) return identifying.then((found) => ({ ...found, searchEngine }))
          return searchEngine === undefined ? undefined : { bot: NO_BOT, searchEngine }
        },
      routes(app, { botSigner }) {
        if (botSigner) signatureDirectoryRoute(app, botSigner.publicKeys)
      },
      workers: ({ crawlers }) => [crawlers?.worker],
      close: async ({ botKeys }) => botKeys.close(),
    }),
)
