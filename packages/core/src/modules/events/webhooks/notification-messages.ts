import { defineMessages } from '../../../model/messages.ts'

/** The texts of notifications about new receivers of private events. */
export const newWebhookMessages = defineMessages('notice-new-webhook', {
  en: {
    title: 'A new webhook receives private events',
    receives: 'Events that only you can read are delivered to {host}.',
    receivesOf: 'Events of {profile} that only you or its team can read are delivered to {host}.',
    end: 'If you do not know this receiver, cancel the subscription {id}, and revoke the API key that created it.',
  },
  de: {
    title: 'Ein neuer Webhook erhält private Ereignisse',
    receives: 'Ereignisse, die nur Sie lesen können, werden an {host} zugestellt.',
    receivesOf: 'Ereignisse von {profile}, die nur Sie oder das Team lesen können, werden an {host} zugestellt.',
    end: 'Wenn Sie diesen Empfänger nicht kennen, kündigen Sie das Abonnement {id}, und widerrufen Sie den API-Schlüssel, der es angelegt hat.',
  },
  ja: {
    title: '新しい Webhook が非公開イベントを受信します',
    receives: 'あなただけが読めるイベントが {host} に配信されます。',
    receivesOf: '{profile} のイベントのうち、あなたまたはチームだけが読めるものが {host} に配信されます。',
    end: 'この受信側に心当たりがない場合は、サブスクリプション {id} を解約し、作成に使われた API キーを失効させてください。',
  },
  ar: {
    title: 'خطاف ويب جديد يتلقى أحداثًا خاصة',
    receives: 'تُسلَّم إلى {host} أحداث لا يستطيع قراءتها غيرك.',
    receivesOf: 'تُسلَّم إلى {host} أحداث {profile} التي لا يقرؤها غيرك أو غير فريقه.',
    end: 'إن كنت لا تعرف هذا المستلم فألغِ الاشتراك {id}، وألغِ مفتاح API الذي أنشأه.',
  },
})

/** The texts of notifications about paused webhooks. */
export const webhookNoticeMessages = defineMessages('notice-webhook', {
  en: {
    title: 'One of your webhooks was paused',
    stopped: 'Events are no longer delivered to {host}.',
    stoppedOf: 'Events of {profile} are no longer delivered to {host}.',
    failures: 'Five events in a row could not be delivered. New events are queued.',
    gone: 'The receiver responded with 410 Gone. New events are queued.',
    backlog: 'Too many events are waiting, or they waited longer than events are kept.',
    key_ended:
      'The API key that created the subscription has ended, or you no longer have a role in the profile. Events of this time are not delivered later.',
    resumeSignedIn: 'To continue without the key, sign in and resume the subscription {id}.',
    missing: 'Events since {time} are missing: replay them after you resume the subscription.',
    resume: 'When the receiver works again, resume the subscription {id}. Its delivery log lists the attempts.',
    cancel: 'If you no longer need it, cancel it.',
  },
  de: {
    title: 'Einer Ihrer Webhooks wurde angehalten',
    stopped: 'Ereignisse werden nicht mehr an {host} zugestellt.',
    stoppedOf: 'Ereignisse von {profile} werden nicht mehr an {host} zugestellt.',
    failures: 'Fünf Ereignisse hintereinander konnten nicht zugestellt werden. Neue Ereignisse warten.',
    gone: 'Der Empfänger hat mit 410 Gone geantwortet. Neue Ereignisse warten.',
    backlog: 'Zu viele Ereignisse warten, oder sie haben länger gewartet, als Ereignisse aufbewahrt werden.',
    key_ended:
      'Der API-Schlüssel, mit dem das Abonnement angelegt wurde, gilt nicht mehr, oder Sie haben keine Rolle im Profil mehr. Ereignisse aus dieser Zeit werden nicht nachgeliefert.',
    resumeSignedIn: 'Um ohne den Schlüssel fortzufahren, melden Sie sich an und setzen Sie das Abonnement {id} fort.',
    missing: 'Ereignisse seit {time} fehlen: Lassen Sie sie wiederholen, nachdem Sie das Abonnement fortgesetzt haben.',
    resume:
      'Wenn der Empfänger wieder funktioniert, setzen Sie das Abonnement {id} fort. Sein Zustellprotokoll zeigt die Versuche.',
    cancel: 'Wenn Sie es nicht mehr brauchen, kündigen Sie es.',
  },
  ja: {
    title: 'Webhook の一つが一時停止されました',
    stopped: 'イベントは {host} に配信されなくなりました。',
    stoppedOf: '{profile} のイベントは {host} に配信されなくなりました。',
    failures: '5 件連続でイベントを配信できませんでした。新しいイベントは保留されます。',
    gone: '受信側が 410 Gone を返しました。新しいイベントは保留されます。',
    backlog: '待機中のイベントが多すぎるか、保存期間を超えて待機していました。',
    key_ended:
      'サブスクリプションを作成した API キーが無効になったか、プロフィールでの役割がなくなりました。この間のイベントは後から配信されません。',
    resumeSignedIn: 'キーなしで続けるには、サインインしてサブスクリプション {id} を再開してください。',
    missing: '{time} 以降のイベントが欠けています。サブスクリプションを再開した後に再送してください。',
    resume: '受信側が復旧したら、サブスクリプション {id} を再開してください。配信ログで試行を確認できます。',
    cancel: '不要になった場合は解約してください。',
  },
  ar: {
    title: 'أُوقف أحد خطافات الويب لديك مؤقتًا',
    stopped: 'لم تعد الأحداث تُسلَّم إلى {host}.',
    stoppedOf: 'لم تعد أحداث {profile} تُسلَّم إلى {host}.',
    failures: 'تعذّر تسليم خمسة أحداث متتالية. الأحداث الجديدة تنتظر.',
    gone: 'أجاب المستلم بالرمز 410 Gone. الأحداث الجديدة تنتظر.',
    backlog: 'هناك أحداث كثيرة تنتظر، أو أنها انتظرت أطول من مدة حفظ الأحداث.',
    key_ended:
      'انتهت صلاحية مفتاح API الذي أنشأ الاشتراك، أو لم يعد لك دور في الملف الشخصي. لن تُسلَّم أحداث هذه المدة لاحقًا.',
    resumeSignedIn: 'للمتابعة من دون المفتاح، سجّل الدخول واستأنف الاشتراك {id}.',
    missing: 'الأحداث منذ {time} مفقودة: أعد إرسالها بعد استئناف الاشتراك.',
    resume: 'عندما يعمل المستلم من جديد، استأنف الاشتراك {id}. يعرض سجل التسليم المحاولات.',
    cancel: 'إن لم تعد بحاجة إليه فألغه.',
  },
})
