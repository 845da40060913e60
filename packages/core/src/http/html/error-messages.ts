import { defineMessages } from '../../model/messages.ts'

/** The titles of errors, and what people can do. */
export const errorMessages = defineMessages('error', {
  en: {
    badRequest: 'The request is not valid',
    badRequestLead: 'Check the address, or go back and try again.',
    signIn: 'Please sign in',
    signInLead: 'Only people with an account can see this page.',
    forbidden: 'You may not see this',
    forbiddenLead: 'Your account has no permission for it.',
    notFound: 'Page not found',
    notFoundLead: 'There is no page at this address, or it is not public.',
    conflict: 'This was changed in the meantime',
    conflictLead: 'Go back, reload the page and try again.',
    gone: 'No longer available',
    goneLead: 'It was here once and is not kept any more.',
    tooLarge: 'Too large',
    tooLargeLead: 'Send less at a time.',
    tooMany: 'Too many requests',
    failed: 'Something went wrong',
    failedLead: 'The service could not answer. The error was recorded; try again later.',
    unavailable: 'Not available at the moment',
    unavailableLead: 'Try again in a few minutes.',
    notOffered: 'Not offered here',
    notOfferedLead: 'This service does not offer this function.',
    reference: 'Reference for questions:',
  },
  de: {
    badRequest: 'Die Anfrage ist ungültig',
    badRequestLead: 'Prüfen Sie die Adresse, oder gehen Sie zurück und versuchen Sie es noch einmal.',
    signIn: 'Bitte melden Sie sich an',
    signInLead: 'Diese Seite sehen nur Menschen mit einem Konto.',
    forbidden: 'Das dürfen Sie nicht sehen',
    forbiddenLead: 'Ihrem Konto fehlt die Berechtigung dafür.',
    notFound: 'Seite nicht gefunden',
    notFoundLead: 'Unter dieser Adresse gibt es keine Seite, oder sie ist nicht öffentlich.',
    conflict: 'Das wurde inzwischen geändert',
    conflictLead: 'Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
    gone: 'Nicht mehr verfügbar',
    goneLead: 'Es war einmal hier und wird nicht mehr aufbewahrt.',
    tooLarge: 'Zu groß',
    tooLargeLead: 'Senden Sie weniger auf einmal.',
    tooMany: 'Zu viele Anfragen',
    failed: 'Etwas ist schiefgegangen',
    failedLead:
      'Der Dienst konnte nicht antworten. Der Fehler wurde aufgezeichnet; versuchen Sie es später noch einmal.',
    unavailable: 'Zurzeit nicht verfügbar',
    unavailableLead: 'Versuchen Sie es in einigen Minuten noch einmal.',
    notOffered: 'Hier nicht angeboten',
    notOfferedLead: 'Dieser Dienst bietet diese Funktion nicht an.',
    reference: 'Kennung für Rückfragen:',
  },
  ja: {
    badRequest: 'リクエストが正しくありません',
    badRequestLead: 'アドレスを確認するか、前のページに戻ってもう一度お試しください。',
    signIn: 'ログインしてください',
    signInLead: 'このページを見るにはアカウントが必要です。',
    forbidden: '表示する権限がありません',
    forbiddenLead: 'お使いのアカウントにはこの権限がありません。',
    notFound: 'ページが見つかりません',
    notFoundLead: 'このアドレスにページがないか、公開されていません。',
    conflict: 'その間に変更されました',
    conflictLead: '前のページに戻り、再読み込みしてからもう一度お試しください。',
    gone: '現在は公開されていません',
    goneLead: '以前はここにありましたが、現在は保存されていません。',
    tooLarge: '大きすぎます',
    tooLargeLead: '一度に送る量を減らしてください。',
    tooMany: 'リクエストが多すぎます',
    failed: 'エラーが発生しました',
    failedLead: 'サービスが応答できませんでした。エラーは記録されました。しばらくしてからもう一度お試しください。',
    unavailable: '現在ご利用いただけません',
    unavailableLead: '数分後にもう一度お試しください。',
    notOffered: 'この機能は提供されていません',
    notOfferedLead: 'このサービスではこの機能を利用できません。',
    reference: 'お問い合わせ用の番号：',
  },
  ar: {
    badRequest: 'الطلب غير صالح',
    badRequestLead: 'تحقق من العنوان، أو ارجع وحاول مرة أخرى.',
    signIn: 'يرجى تسجيل الدخول',
    signInLead: 'لا تظهر هذه الصفحة إلا لمن لديه حساب.',
    forbidden: 'لا يمكنك عرض هذا',
    forbiddenLead: 'ليس لحسابك الإذن اللازم.',
    notFound: 'الصفحة غير موجودة',
    notFoundLead: 'لا توجد صفحة في هذا العنوان، أو أنها ليست عامة.',
    conflict: 'حدث تغيير في هذه الأثناء',
    conflictLead: 'ارجع وأعد تحميل الصفحة ثم حاول مرة أخرى.',
    gone: 'لم يعد متاحًا',
    goneLead: 'كان هنا سابقًا ولم يعد محفوظًا.',
    tooLarge: 'الحجم كبير جدًا',
    tooLargeLead: 'أرسل كمية أقل في كل مرة.',
    tooMany: 'طلبات كثيرة جدًا',
    failed: 'حدث خطأ ما',
    failedLead: 'تعذر على الخدمة الرد. سُجِّل الخطأ؛ حاول مرة أخرى لاحقًا.',
    unavailable: 'غير متاح حاليًا',
    unavailableLead: 'حاول مرة أخرى بعد بضع دقائق.',
    notOffered: 'غير متوفر هنا',
    notOfferedLead: 'لا تقدم هذه الخدمة هذه الوظيفة.',
    reference: 'رقم مرجعي للاستفسار:',
  },
})

/** The name of an error that has a title and a sentence about it. */
type ErrorKey =
  | 'badRequest'
  | 'signIn'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'gone'
  | 'tooLarge'
  | 'failed'
  | 'unavailable'
  | 'notOffered'

const BY_STATUS: Readonly<Record<number, ErrorKey>> = {
  401: 'signIn',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'gone',
  412: 'conflict',
  413: 'tooLarge',
  501: 'notOffered',
  502: 'unavailable',
  503: 'unavailable',
}

/** Returns the name of the texts for a status. */
export const errorKeyOf = (status: number): ErrorKey => BY_STATUS[status] ?? (status < 500 ? 'badRequest' : 'failed')
