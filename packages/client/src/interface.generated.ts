// Printed from the service's OpenAPI document by `pnpm --filter @tidegate/client run types`. Do not edit.

import type { Json } from './json.ts';

/**
 * Payin, CN
 * @description Null, empty text, empty objects and empty arrays count as absent. Fields that are not named here are ignored, but signed. Without `notifyUrl` nothing is notified.
 */
export interface CnPayinRequest {
    /** @description The merchant's own order number, unique per merchant over payins and payouts together. */
    merchantOrderNo: string;
    /** @constant */
    countryCode?: "CN" | undefined;
    /** @constant */
    currency?: "CNY" | undefined;
    /** @description In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text. */
    amount: string;
    /**
     * Format: uri
     * @description Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.
     */
    notifyUrl?: string | undefined;
    /** @description An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged. */
    metadata?: ({
        /** @description Where the payer is led when the payment is over. */
        returnUrl?: string | undefined;
        payerName?: string | undefined;
        payerMobile?: string | undefined;
    } & {
        [key: string]: Json | undefined;
    }) | undefined;
}

/**
 * Payin, TH
 * @description Null, empty text, empty objects and empty arrays count as absent. Fields that are not named here are ignored, but signed. Without `notifyUrl` the merchant's default address is notified.
 */
export interface ThPayinRequest {
    /** @description The merchant's own order number, unique per merchant over payins and payouts together. */
    merchantOrderNo: string;
    /** @description In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text. */
    amount: string;
    /** @constant */
    bankCode: "QR";
    /** @constant */
    countryCode?: "TH" | undefined;
    /** @constant */
    currency?: "THB" | undefined;
    /**
     * Format: uri
     * @description Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.
     */
    notifyUrl?: string | undefined;
    remark?: string | undefined;
    payer_mobile?: string | undefined;
    payer_realname?: string | undefined;
    /** Format: email */
    payer_email?: string | undefined;
    payer_id_no?: string | undefined;
    /** @description An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged. */
    extJson: {
        accountNo: string;
    } & {
        [key: string]: Json | undefined;
    };
}

/**
 * Payin, IN
 * @description Null, empty text, empty objects and empty arrays count as absent. Fields that are not named here are ignored, but signed.
 */
export interface InPayinRequest {
    /** @description The merchant's own order number, unique per merchant over payins and payouts together. */
    merchantOrderNo: string;
    /** @constant */
    countryCode?: "IN" | undefined;
    /** @constant */
    currency?: "INR" | undefined;
    /** @description In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text. */
    amount: string;
    /**
     * Format: uri
     * @description Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.
     */
    notifyUrl: string;
    /** @description An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged. */
    metadata?: ({
        /** @description Where the payer is led when the payment is over. */
        returnUrl?: string | undefined;
        payerName?: string | undefined;
        payerMobile?: string | undefined;
    } & {
        [key: string]: Json | undefined;
    }) | undefined;
}

/**
 * Payin, PK
 * @description Null, empty text, empty objects and empty arrays count as absent. Fields that are not named here are ignored, but signed. Without `notifyUrl` nothing is notified.
 */
export interface PkPayinRequest {
    /** @description The merchant's own order number, unique per merchant over payins and payouts together. */
    merchantOrderNo: string;
    /** @description In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text. */
    amount: string;
    /** @description Must not be sent. */
    countryCode?: undefined;
    /** @description Must not be sent. */
    currency?: undefined;
    /** @description Must not be sent. */
    metadata?: undefined;
    /** @description Recommended. `QRANDLAUNCH` gives a `payQr` as well. */
    bankCode?: string | undefined;
    /**
     * Format: uri
     * @description Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.
     */
    notifyUrl?: string | undefined;
    remark?: string | undefined;
    /** @description 11 digits, starting with `03`. */
    payer_mobile: string;
    payer_realname?: string | undefined;
    /** Format: email */
    payer_email?: string | undefined;
    payer_id_no?: string | undefined;
    /** @description An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged. */
    extJson?: {
        [key: string]: Json | undefined;
    } | undefined;
}

/**
 * Payout, IN
 * @description Null, empty text, empty objects and empty arrays count as absent. Fields that are not named here are ignored, but signed. Without `notifyUrl` the merchant's default address is notified.
 */
export interface InPayoutRequest {
    /** @description The merchant's own order number, unique per merchant over payins and payouts together. */
    merchantOrderNo: string;
    /** @constant */
    countryCode?: "IN" | undefined;
    /** @constant */
    currency?: "INR" | undefined;
    /** @description In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text. */
    amount: string;
    receiverName: string;
    /** @description 6 to 34 letters or digits. */
    receiverAccount: string;
    receiverPhone?: string | undefined;
    /**
     * Format: uri
     * @description Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.
     */
    notifyUrl?: string | undefined;
    remark?: string | undefined;
    /** @description An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged. */
    metadata: {
        /** @description The branch's code, e.g. `HDFC0001234`. */
        ifsc: string;
        recipientEmail?: string | undefined;
        recipientContact?: string | undefined;
    } & {
        [key: string]: Json | undefined;
    };
}

/**
 * Payout, PK
 * @description Null, empty text, empty objects and empty arrays count as absent. Fields that are not named here are ignored, but signed. Without `notifyUrl` the merchant's default address is notified.
 */
export interface PkPayoutRequest {
    /** @description The merchant's own order number, unique per merchant over payins and payouts together. */
    merchantOrderNo: string;
    /** @description In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text. */
    amount: string;
    /** @description Code of the bank or wallet, in upper-case letters. */
    bankCode: string;
    /** @description Must not be sent. */
    countryCode?: undefined;
    /** @description Must not be sent. */
    currency?: undefined;
    /** @description Must not be sent. */
    metadata?: undefined;
    /** @description Must not be sent. */
    receiverName?: undefined;
    /** @description Must not be sent. */
    receiverAccount?: undefined;
    /** @description Must not be sent. */
    receiverBankCode?: undefined;
    /** @description Must not be sent. */
    receiverBankName?: undefined;
    /** @description Must not be sent. */
    receiverPhone?: undefined;
    payee_realname: string;
    /** @description Where the money goes. For `JAZZCASH` and `EASYPAISA` `payee_mobile` comes first. */
    payee_account: string;
    /** @description Where the money goes for `JAZZCASH` and `EASYPAISA`. */
    payee_mobile?: string | undefined;
    /** Format: email */
    payee_email?: string | undefined;
    payee_id_no?: string | undefined;
    /**
     * Format: uri
     * @description Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.
     */
    notifyUrl?: string | undefined;
    remark?: string | undefined;
    /** @description An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged. */
    extJson?: {
        [key: string]: Json | undefined;
    } | undefined;
}

/** Fields of a payin in CN */
export interface CnPayinCreated {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "completed" | "cancelled";
    /** @description When it was created. Unix seconds. */
    createdAt: number;
}

/** Fields of a payin in CN */
export interface CnPayinFound {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "completed" | "cancelled";
    /** @description When it was created. Unix seconds. */
    createdAt: number;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description Why it failed or timed out, if known. */
    failureReason?: string;
}

/** Fields of a payin in TH */
export interface ThPayinCreated {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "timeout" | "partial_paid" | "completed" | "cancelled";
    /**
     * Format: uri
     * @description The page where the payer pays.
     */
    payUrl: string;
    /** @description The text of the QR code, if the channel provides one. */
    payQr?: string;
    /** @description When it was created. Unix seconds. */
    createdAt: number;
}

/** Fields of a payin in TH */
export interface ThPayinFound {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "timeout" | "partial_paid" | "completed" | "cancelled";
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description When it was created. Unix seconds. */
    createdAt: number;
}

/** Fields of a payin in IN */
export interface InPayinCreated {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "timeout" | "completed" | "cancelled";
    /**
     * Format: uri
     * @description The page where the payer pays.
     */
    payUrl: string;
    /** @description When it was created. Unix seconds. */
    createdAt: number;
}

/** Fields of a payin in IN */
export interface InPayinFound {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "timeout" | "completed" | "cancelled";
    /**
     * Format: uri
     * @description The page where the payer pays.
     */
    payUrl: string;
    /** @description When it was created. Unix seconds. */
    createdAt: number;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description Why it failed or timed out, if known. */
    failureReason?: string;
}

/** Fields of a payin in PK */
export interface PkPayinCreated {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "completed" | "cancelled";
    /**
     * Format: uri
     * @description The page where the payer pays.
     */
    payUrl: string;
    /** @description The text of the QR code, if the channel provides one. */
    payQr?: string;
    /**
     * Format: date-time
     * @description Time of creation, in UTC with milliseconds.
     */
    createdAt: string;
}

/** Fields of a payin in PK */
export interface PkPayinFound {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "failed" | "completed" | "cancelled";
    /**
     * Format: uri
     * @description The page where the payer pays.
     */
    payUrl: string;
    /** @description The text of the QR code, if the channel provides one. */
    payQr?: string;
    /**
     * Format: date-time
     * @description Time of creation, in UTC with milliseconds.
     */
    createdAt: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description Why it failed or timed out, if known. */
    failureReason?: string;
}

/** Fields of a payout in IN */
export interface InPayoutCreated {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount plus fee: what is frozen. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "completed" | "failed" | "timeout" | "cancelled";
    /**
     * @description How the payee is paid.
     * @enum {string}
     */
    payoutMethod: "BANK_TRANSFER";
    /**
     * @description How the order is processed.
     * @enum {string}
     */
    fulfillmentMode: "upstream" | "market" | "manual";
    /** @description When it was created. Unix seconds. */
    createdAt: number;
}

/** Fields of a payout in IN */
export interface InPayoutFound {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount plus fee: what is frozen. */
    netAmount: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "completed" | "failed" | "timeout" | "cancelled";
    /**
     * @description How the payee is paid.
     * @enum {string}
     */
    payoutMethod: "BANK_TRANSFER";
    /**
     * @description How the order is processed.
     * @enum {string}
     */
    fulfillmentMode: "upstream" | "market" | "manual";
    /** @description When it was created. Unix seconds. */
    createdAt: number;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description Why it failed or timed out, if known. */
    failureReason?: string;
}

/** Fields of a payout in PK */
export interface PkPayoutCreated {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount plus fee: what is frozen. */
    netAmount: string;
    /** @description The task of a payout on the task market. */
    payoutTaskId?: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "market_available" | "completed" | "failed" | "cancelled";
    /**
     * Format: date-time
     * @description Time of creation, in UTC with milliseconds.
     */
    createdAt: string;
}

/** Fields of a payout in PK */
export interface PkPayoutFound {
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount plus fee: what is frozen. */
    netAmount: string;
    /** @description The task of a payout on the task market. */
    payoutTaskId?: string;
    /**
     * @description Status of the order.
     * @enum {string}
     */
    status: "created" | "processing" | "market_available" | "completed" | "failed" | "cancelled";
    /**
     * Format: date-time
     * @description Time of creation, in UTC with milliseconds.
     */
    createdAt: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description Why it failed or timed out, if known. */
    failureReason?: string;
}

/** Fields of a payin in CN */
export interface CnPayinNotification {
    /**
     * @description The kind of order.
     * @constant
     */
    orderType: "payin";
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "completed" | "failed" | "cancelled";
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /**
     * @description The currency of the merchant.
     * @constant
     */
    currency: "CNY";
    /**
     * @description The country of the merchant.
     * @constant
     */
    countryCode: "CN";
}

/** Fields of a payin in TH */
export interface ThPayinNotification {
    /**
     * @description The kind of order.
     * @constant
     */
    orderType: "payin";
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "completed" | "failed" | "timeout";
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
    /** @description Why it failed or timed out. */
    failureReason?: string;
}

/** Fields of a payin in IN */
export interface InPayinNotification {
    /**
     * @description The kind of order.
     * @constant
     */
    orderType: "payin";
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "completed" | "failed" | "timeout" | "cancelled";
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
}

/** Fields of a payin in PK */
export interface PkPayinNotification {
    /**
     * @description The kind of order.
     * @constant
     */
    orderType: "payin";
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "completed";
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount minus fee: what the wallet is credited. */
    netAmount: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
}

/** Fields of a payout in IN */
export interface InPayoutNotification {
    /**
     * @description The kind of order.
     * @constant
     */
    orderType: "payout";
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "completed" | "failed" | "timeout";
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount plus fee: what is frozen. */
    netAmount: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
}

/** Fields of a payout in PK */
export interface PkPayoutNotification {
    /**
     * @description The kind of order.
     * @constant
     */
    orderType: "payout";
    /** @description The service's order number. */
    orderNo: string;
    /** @description The merchant's own order number. */
    merchantOrderNo: string;
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "completed";
    /** @description What was asked for, in the currency of the merchant. */
    amount: string;
    /** @description The fee, by the rates in force when the order was created. */
    feeAmount: string;
    /** @description Amount plus fee: what is frozen. */
    netAmount: string;
    /** @description When it was completed; only on completed orders. Unix seconds. */
    completedAt?: number;
}

export interface Wallet {
    /** @description The merchant number. */
    merchantNo: string;
    /**
     * @description Its currency.
     * @enum {string}
     */
    currency: "CNY" | "THB" | "INR" | "PKR";
    /** @description Available plus frozen. */
    balance: string;
    /** @description What new payouts can use. */
    available: string;
    /** @description What is kept for payouts that have not ended. */
    frozen: string;
    /** @description When it changed last. Unix seconds. */
    updatedAt: number;
}

export interface WalletTransaction {
    /** @description Numbered per wallet, without gaps. */
    transactionNo: string;
    /**
     * @description `PAYIN`: a payin was completed. `PAYOUT_FREEZE`: a payout was created. `PAYOUT_RELEASE`: a payout ended without being paid. `PAYOUT`: a payout was completed. `TOP_UP`: the merchant paid money in. `ADJUSTMENT`: an operator corrected the wallet. `SETTLEMENT`: money was paid to the merchant. `PAYOUT_RETURN`: a bank returned a completed payout.
     * @enum {string}
     */
    type: "PAYIN" | "PAYOUT_FREEZE" | "PAYOUT_RELEASE" | "PAYOUT" | "TOP_UP" | "ADJUSTMENT" | "SETTLEMENT" | "PAYOUT_RETURN";
    /** @description Its effect on the balance. */
    amount: string;
    /** @description What a freeze or release froze; only on those. */
    frozenChange?: string;
    /** @description Right after it. */
    balance: string;
    /** @description Right after it. */
    available: string;
    /** @description Right after it. */
    frozen: string;
    /** @description The order that it belongs to. */
    orderNo?: string;
    /** @description That order's number at the merchant. */
    merchantOrderNo?: string;
    /** @description Remark of the operator who booked it. */
    remark?: string;
    /** @description When it was booked. Unix seconds. */
    createdAt: number;
}

export interface WalletTransactions {
    /** @description Newest first. */
    list: WalletTransaction[];
    /** @description The requested page. */
    page: number;
    /** @description Transactions per page. */
    pageSize: number;
    /** @description Number of all transactions. */
    total: number;
}

export interface PayinTypes {
    CN: { request: CnPayinRequest; created: CnPayinCreated; found: CnPayinFound; notification: CnPayinNotification };
    TH: { request: ThPayinRequest; created: ThPayinCreated; found: ThPayinFound; notification: ThPayinNotification };
    IN: { request: InPayinRequest; created: InPayinCreated; found: InPayinFound; notification: InPayinNotification };
    PK: { request: PkPayinRequest; created: PkPayinCreated; found: PkPayinFound; notification: PkPayinNotification };
}

export interface PayoutTypes {
    IN: { request: InPayoutRequest; created: InPayoutCreated; found: InPayoutFound; notification: InPayoutNotification };
    PK: { request: PkPayoutRequest; created: PkPayoutCreated; found: PkPayoutFound; notification: PkPayoutNotification };
}

/** What the client adds to a payin where the request leaves it out, by the merchant's country. */
export const PAYIN_DEFAULTS: { readonly [C in keyof PayinTypes]: Partial<PayinTypes[C]['request']> } = {
  "CN": {
    "countryCode": "CN",
    "currency": "CNY"
  },
  "TH": {},
  "IN": {
    "countryCode": "IN",
    "currency": "INR"
  },
  "PK": {}
};

/** What the client adds to a payout where the request leaves it out, by the merchant's country. */
export const PAYOUT_DEFAULTS: { readonly [C in keyof PayoutTypes]: Partial<PayoutTypes[C]['request']> } = {
  "IN": {
    "countryCode": "IN",
    "currency": "INR"
  },
  "PK": {}
};
