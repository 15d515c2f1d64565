import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * Signs a request to Tidegate with nothing but Java 11 or later.
 *
 * <pre>
 * java Sign.java POST merchant-private.pem TIMESTAMP NONCE &lt; body.json
 * java Sign.java GET  merchant-private.pem TIMESTAMP NONCE &lt; query-string
 * </pre>
 *
 * Prints X-Sign, and below it the text that was signed. Send the very bytes that were signed. The key is PKCS#8 PEM.
 */
public class Sign {
    public static String content(String method, String text, String timestamp, String nonce) {
        // Sorted by the bytes of UTF-8, which is the order of code points; String.compareTo is not.
        Map<String, String> leaves = new TreeMap<>((a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b)));
        if (method.equals("GET")) {
            for (String pair : text.split("&")) {
                String[] parts = pair.split("=", 2);
                if (parts.length == 2 && !parts[1].isEmpty()) leaves.put(decoded(parts[0]), decoded(parts[1]));
            }
        } else {
            new Json(text, leaves).value("");
        }
        leaves.put("timestamp", timestamp);
        leaves.put("nonce", nonce);
        StringBuilder content = new StringBuilder();
        leaves.forEach((path, value) ->
            content.append(content.length() == 0 ? "" : "&").append(escaped(path)).append('=').append(escaped(value)));
        return content.toString();
    }

    public static String sign(String content, PrivateKey key) throws Exception {
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(utf8(content));
        return Base64.getEncoder().encodeToString(signature.sign());
    }

    public static PrivateKey readKey(Path file) throws Exception {
        String base64 = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    private static String escaped(String text) {
        return text.replace("%", "%25").replace("&", "%26").replace("=", "%3D");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /**
     * Puts the leaves of a JSON text into a map, numbers as written. With a JSON library of yours: keep numbers as
     * BigDecimal or text, never as double.
     */
    private static final class Json {
        private final String text;
        private final Map<String, String> leaves;
        private int at = 0;

        Json(String text, Map<String, String> leaves) {
            this.text = text;
            this.leaves = leaves;
        }

        void value(String path) {
            char first = next();
            if (first == '{') {
                for (at++; next() != '}'; skip(',')) {
                    String key = string();
                    skip(':');
                    value(path.isEmpty() ? key : path + "." + key);
                }
                at++;
            } else if (first == '[') {
                at++;
                for (int index = 0; next() != ']'; skip(',')) value(path + "[" + index++ + "]");
                at++;
            } else {
                String leaf = first == '"' ? string() : word();
                if (!leaf.isEmpty() && !(first == 'n' && leaf.equals("null"))) leaves.put(path, leaf);
            }
        }

        /** A number, true, false or null. */
        private String word() {
            int start = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            return text.substring(start, at);
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            next();
            for (at++; text.charAt(at) != '"'; at++) {
                char unit = text.charAt(at);
                if (unit != '\\') {
                    string.append(unit);
                    continue;
                }
                char escape = text.charAt(++at);
                int simple = "bfnrt".indexOf(escape);
                if (escape == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    string.append(simple < 0 ? escape : "\b\f\n\r\t".charAt(simple));
                }
            }
            at++;
            return string.toString();
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private void skip(char separator) {
            if (next() == separator) at++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        String content = content(arguments[0], text, arguments[2], arguments[3]);
        String signature = sign(content, readKey(Path.of(arguments[1])));
        System.out.write(utf8(signature + "\n" + content));
        System.out.flush();
    }
}
