package com.example.orders;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** A service that logs what it would do, on a clock of its own. */
public class OrderService {
    static final Random RANDOM = new Random(29);
    static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
    static long now = Instant.parse("2026-03-14T09:12:01Z").toEpochMilli();

    static void log(String level, int thread, String logger, String message) {
        now += RANDOM.nextInt(40);
        String time = LocalDateTime.ofEpochSecond(now / 1000, (int) (now % 1000) * 1_000_000, ZoneOffset.UTC).format(FORMAT);
        System.out.printf("%s %-5s 7 --- [nio-8080-exec-%d] %-36s : %s%n", time, level, thread, logger, message);
    }

    static class Inventory {
        final Map<String, Integer> stock = new HashMap<>();

        int take(String article, int pieces) {
            return stock.merge(article, -pieces, Integer::sum);
        }

        void reserve(int order) {
            Integer left = stock.get("A-" + order);
            stock.put("A-" + order, left - 1);
        }
    }

    static class Checkout {
        final Inventory inventory = new Inventory();

        void place(int order) {
            try {
                inventory.reserve(order);
            } catch (NullPointerException e) {
                throw new IllegalStateException("order " + order + " cannot be reserved", e);
            }
        }
    }

    public static void main(String[] args) {
        Checkout checkout = new Checkout();
        String[] articles = {"lamp", "chair", "table", "shelf", "carpet"};
        for (int i = 0; i < 1500; i++) {
            int order = 50000 + i, thread = 1 + RANDOM.nextInt(10);
            log("INFO", thread, "c.e.orders.OrderController", "POST /orders customer=" + RANDOM.nextInt(9000) + " items=" + (1 + RANDOM.nextInt(5)));
            if (i == 707) {
                try {
                    checkout.place(order);
                } catch (RuntimeException e) {
                    log("ERROR", thread, "c.e.orders.OrderController", "request was not served");
                    e.printStackTrace(System.out);
                }
                continue;
            }
            if (i % 2 == 0) {
                log("DEBUG", thread, "c.e.orders.Inventory", "take " + (1 + RANDOM.nextInt(5)) + " of " + articles[RANDOM.nextInt(5)] + ", left " + RANDOM.nextInt(400));
            }
            if (RANDOM.nextInt(70) == 0) {
                log("WARN", thread, "com.zaxxer.hikari.pool.ProxyLeakTask", "connection held for " + (2000 + RANDOM.nextInt(3000)) + " ms");
            }
            log("INFO", thread, "c.e.orders.OrderRepository", "order " + order + " stored in " + RANDOM.nextInt(30) + " ms");
        }
    }
}
