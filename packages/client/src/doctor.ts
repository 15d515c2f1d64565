export * from '@tidegate/signature/doctor';
